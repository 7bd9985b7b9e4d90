// In the browser: shows a question as a notification, opens its session, and closes the notification when the question is settled.
addEventListener('push', (event) => {
  const { tag, title, body, url, isSettled } = event.data.json();
  event.waitUntil(isSettled ? close(tag) : registration.showNotification(title, { tag, body, data: url }));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data));
});

async function close(tag) {
  for (const notification of await registration.getNotifications({ tag })) notification.close();
}

/**
 * Lists the buttons of the page that are not usable. Each one is scrolled into view, and then must be inside the window, be above all else at its
 * middle and near its edges, and overlap no other button.
 */
export const UNUSABLE = `(() => {
  const wrong = [];
  const buttons = [...document.querySelectorAll('button')].filter((button) => button.checkVisibility());
  for (const button of buttons) {
    button.scrollIntoView({ block: 'center' });
    const name = button.innerText.trim() || button.ariaLabel;
    const { left, right, top, bottom } = button.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) wrong.push(name + ' leaves the window');
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    for (const [atX, atY] of [[x, y], [left + 2, y], [right - 2, y], [x, top + 2], [x, bottom - 2]]) {
      const found = document.elementFromPoint(atX, atY);
      if (!button.contains(found)) wrong.push(name + ' is covered by ' + (found?.outerHTML.slice(0, 80) ?? 'nothing'));
    }
    for (const other of buttons) {
      const box = other.getBoundingClientRect();
      const isApart = box.left >= right || box.right <= left || box.top >= bottom || box.bottom <= top;
      if (other !== button && !isApart && other.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)))
        wrong.push(name + ' overlaps ' + other.innerText);
    }
  }
  for (const box of document.querySelectorAll('*')) if (box.scrollTop > 0) box.scrollTop = 0;
  return wrong;
})()`;

/** How much CPU time a first import takes, in milliseconds: the module named by the argument, in this fresh process. */
const [, , url = ''] = process.argv;
const before = process.cpuUsage();
await import(url);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ import: (user + system) / 1000 }));

export {};

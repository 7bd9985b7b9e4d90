/** Prints the CPU time in milliseconds of the first import of the module that the argument names, in this fresh process. */
const [, , url = ''] = process.argv;
const before = process.cpuUsage();
await import(url);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ import: (user + system) / 1000 }));

export {};

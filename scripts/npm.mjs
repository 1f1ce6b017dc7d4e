/** How a process starts npm: on Windows it is a script, which only a shell runs. */
export const AS_NPM = { shell: process.platform === 'win32' };

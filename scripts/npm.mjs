/** Options for starting npm: on Windows it is a script, which only a shell can run. */
export const AS_NPM = { shell: process.platform === 'win32' };

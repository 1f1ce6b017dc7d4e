import { execFileSync } from 'node:child_process';

export default () => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
};

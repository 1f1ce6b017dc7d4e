// Preloaded into the command, it sets the clock that the command sees back by a day at SIGUSR2.
const DAY_MS = 86_400_000;
const RealDate = Date;
let aheadMs = 0;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length > 0) super(...given);
    else super(RealDate.now() + aheadMs);
  }

  static now() {
    return RealDate.now() + aheadMs;
  }
};

process.on('SIGUSR2', () => {
  aheadMs -= DAY_MS;
});

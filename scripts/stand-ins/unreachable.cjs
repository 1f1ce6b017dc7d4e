// Replaces modules that tsdown.config.ts leaves out of the package.

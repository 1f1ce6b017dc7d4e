// Stands in the package for what tsdown.config.ts leaves out of it.

/** The names of the package's datasets, which have the files `fixtures/<name>.yaml`. */
export const SHIPPED_DATASETS = ['default', 'demo', 'edge-cases', 'empty', 'large'] as const;

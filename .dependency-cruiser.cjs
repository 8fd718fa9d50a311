/** Layers: domain, util <- adapters <- stages <- cli, web, worker. Stages meet through records on disk. */
const STAGES = [
  'extract',
  'retrieve',
  'mcq',
  'audit',
  'score',
  'standardize',
  'release',
  'demo',
  'fake-provider',
];
const UPPER = `^src/(${[...STAGES, 'cli', 'web'].join('|')})/|^src/(worker|index)\\.ts$`;

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^src/(?!domain/|util/)' },
    },
    {
      name: 'domain-no-io',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'util-is-low',
      severity: 'error',
      from: { path: '^src/util/' },
      to: { path: '^src/(?!domain/|util/)' },
    },
    {
      name: 'adapters-import-down',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: UPPER },
    },
    ...STAGES.map((stage) => ({
      name: `stage-${stage}-stays-alone`,
      severity: 'error',
      from: { path: `^src/${stage}/` },
      to: { path: `^src/(?!${stage}/|domain/|util/|adapters/)` },
    })),
    {
      name: 'index-is-the-face',
      severity: 'error',
      from: { path: '^src/(?!index\\.ts)' },
      to: { path: '^src/index\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};

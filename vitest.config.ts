import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { requirementOptions } from './cli/run/runner/vitest.ts'

export default defineConfig({
  test: {
    projects: [
      // each project has a turn of its own, so that plain `vitest run` runs them all
      { test: { ...requirementOptions, name: 'contract', globalSetup: 'cli/run/runner/contract-setup.ts' } },
      {
        test: {
          name: 'tests',
          sequence: { groupOrder: 1 },
          // half the files start programs and wait for them: one more than there are cores, and none is idle
          maxWorkers: availableParallelism() + 1,
          isolate: false,
          include: [
            'tests/{cli,fairness,grpc,helpers,hostile,http,model,reference,reports,repository,selftest,specs}/**/*.test.ts',
          ],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          // every fault and every variant in the short form of the kill matrix
          name: 'matrix',
          sequence: { groupOrder: 2 },
          maxWorkers: availableParallelism(),
          include: ['tests/matrix/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          // what takes whole runs of the suite
          name: 'whole',
          sequence: { groupOrder: 3 },
          maxWorkers: 1,
          include: ['tests/whole/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'package',
          sequence: { groupOrder: 4 },
          globalSetup: 'tests/package/packing.ts',
          maxWorkers: '100%',
          include: ['tests/package/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})

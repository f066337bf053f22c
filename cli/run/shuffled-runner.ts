import { inject, type RunnerTestFile, TestRunner } from 'vitest'
import { shuffled } from '../../helpers/case/for-all.ts'

/** Shuffles the order in which parallel tests begin, by the seed; what runs alone keeps its place. */
export default class ShufflingRunner extends TestRunner {
  onBeforeRunFiles(files: RunnerTestFile[]): void {
    for (const file of files) {
      const beside = shuffled(
        file.tasks.filter((task) => task.concurrent === true),
        inject('run').config.seed,
      )
      file.tasks = file.tasks.map((task) => (task.concurrent === true ? beside.shift()! : task))
    }
  }
}

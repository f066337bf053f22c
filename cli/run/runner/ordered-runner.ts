import { inject, type RunnerTask, type RunnerTestFile, TestRunner } from 'vitest'
import { shuffled } from '../../../helpers/case/for-all.ts'

declare module 'vitest' {
  interface ProvidedContext {
    shuffle: boolean
  }
}

/**
 * Orders the cases that run side by side; what runs alone keeps its place. Those that take longest begin first, because
 * otherwise a run waits for them at its end. A shuffled run draws the order by its seed.
 */
export default class OrderedRunner extends TestRunner {
  onBeforeRunFiles(files: RunnerTestFile[]): void {
    for (const file of files) {
      const beside = ordered(file.tasks.filter((task) => task.concurrent === true))
      file.tasks = file.tasks.map((task) => (task.concurrent === true ? beside.shift()! : task))
    }
  }
}

const ordered = (tasks: readonly RunnerTask[]) =>
  inject('shuffle')
    ? shuffled(tasks, inject('run').config.seed)
    : [...tasks].sort((one, other) => Number(isLong(other)) - Number(isLong(one)))

const isLong = ({ meta }: RunnerTask) => meta.rmapi?.header.long === true

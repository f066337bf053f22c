import { expect, test } from 'vitest'
import { fits } from '../../helpers/assertions/model-finding.ts'

test('A finding shows each uid that it is about by its end', () => {
  const [home, child] = ['1f/2e', '1f/2e/3d']
  const finding = {
    expected: `${child} as before the refused call on ${home}`,
    got: 'it is gone',
    n: 7,
    about: [home, child],
  }

  expect(() => fits([{ finding, exchanges: [] }], [])).toThrow(
    expect.objectContaining({
      message: 'the answer to a call contradicts the calls before it; it is about …/2e and …/3d',
      claim: {
        expected: '…/3d as before the refused call on …/2e',
        got: 'it is gone',
        where: 'exchange 7',
      },
    }),
  )
})

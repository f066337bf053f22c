import { expect, test } from 'vitest'
import { startReference } from '../../reference/embed.ts'

async function moved(url: string, body: string) {
  const answer = await fetch(url, { method: 'POST', body })
  return {
    status: answer.status,
    date: answer.headers.get('date')!,
    body: (await answer.json()) as { now: string },
  }
}

test('the hook moves the clock that times, tokens and the Date header go by', async () => {
  const { baseUrl, clockUrl, groupUid, accessToken, other, close } = await startReference()
  const roles = (token: string) => fetch(`${baseUrl}/iam/v2/roles`, { headers: { authorization: `Bearer ${token}` } })
  try {
    const before = await moved(clockUrl, '{"advanceSeconds":0}')
    const after = await moved(clockUrl, '{"advanceSeconds":259200}')
    const created = await fetch(`${baseUrl}/iam/v2/groups/${groupUid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: '{"name":"later"}',
    })

    const [start, end] = [before.body.now, after.body.now].map(Date.parse) as [number, number]
    expect(end - start).toBeGreaterThanOrEqual(259_200_000)
    expect(Date.parse(((await created.json()) as { createTime: string }).createTime)).toBeGreaterThanOrEqual(end)
    expect(Date.parse(after.date)).toBeGreaterThan(end - 2_000)
    expect((await roles(accessToken)).status).toBe(200)
    expect((await roles(other.accessToken)).status).toBe(401)
  } finally {
    await close()
  }
})

test.each(['', '{}', '[]', '{"advanceSeconds":-1}', '{"advanceSeconds":"9"}'])(
  'a hook that is sent %j moves nothing',
  async (body) => {
    const { clockUrl, world, close } = await startReference()
    try {
      expect(await moved(clockUrl, body)).toMatchObject({ status: 400, body: { code: 3 } })
      expect(world.now()).toBeLessThanOrEqual(Date.now())
    } finally {
      await close()
    }
  },
)

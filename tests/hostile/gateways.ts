import { alters, type Hostile, onCreates } from './target-forms.ts'

let calls = 0

export const behind: Hostile[] = [
  alters('gives every page a token', ({ method, body, path }) =>
    method === 'GET' && path.includes('?') ? body.replace('"nextPageToken":""', '"nextPageToken":"x"') : undefined,
  ),
  alters(
    'gives no uid on create',
    onCreates(({ uid: _, ...rest }) => rest),
  ),
  alters(
    'gives a number as a uid',
    onCreates((body) => ({ ...body, uid: 7 })),
  ),
  alters(
    'gives an empty uid',
    onCreates((body) => ({ ...body, uid: '' })),
  ),
  alters(
    'gives the path of another group, by dots',
    onCreates((body) => ({ ...body, uid: `${body.uid}/../..` })),
  ),
  alters(
    'gives a uid with a line break',
    onCreates((body) => ({ ...body, uid: `${body.uid}\nX: y` })),
  ),
  alters(
    'gives a uid of 100 KB',
    onCreates((body) => ({ ...body, uid: `${body.uid}/${'a'.repeat(100_000)}` })),
  ),
  alters(
    'gives the token as a uid',
    onCreates((body, { headers }) => ({
      ...body,
      uid: `${body.uid}/${headers.authorization?.slice('Bearer '.length)}`,
    })),
  ),
  alters(
    'gives objects as names',
    onCreates((body) => ({ ...body, name: { a: 1 } })),
  ),
  alters(
    'gives every create another name',
    onCreates((body) => ({ ...body, name: 'another' })),
  ),
  alters(
    'answers creates with a list',
    onCreates((body) => [body]),
  ),
  alters('refuses every third call with 503', () => (++calls % 3 === 0 ? 503 : undefined), {
    exit: [0, 1, 3],
    says: /VERDICT/,
    within: 150,
  }),
  alters('answers Deletes with 500', ({ method }) => (method === 'DELETE' ? 500 : undefined)),
  alters('refuses Get of everything with 404', ({ method, path }) =>
    method === 'GET' && !path.includes('?') ? 404 : undefined,
  ),
  alters('answers every list empty', ({ method, path }) =>
    method === 'GET' && path.includes('?') ? '{"totalCount":"0"}' : undefined,
  ),
  alters('answers times in the far future', ({ body }) => body.replace(/"20\d\d-/g, '"9999-')),
  alters('answers every member null', ({ body, method }) =>
    method === 'GET' ? body.replace(/:"[^"]*"/g, ':null') : undefined,
  ),
]

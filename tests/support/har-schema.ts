/** HAR 1.2 as its specification describes it, as a JSON Schema. */
const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }
const whole = { type: 'integer', minimum: -1 }
const some = { type: 'number', minimum: -1 }
const strict = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties: { ...properties, comment: text },
  additionalProperties: false,
})
const named = { type: 'array', items: strict({ name: text, value: text }) }
const messages = { httpVersion: text, cookies: named, headers: named, headersSize: whole, bodySize: whole }

export const harSchema = strict({
  log: strict(
    {
      version: { const: '1.2' },
      creator: strict({ name: text, version: text }),
      browser: strict({ name: text, version: text }),
      pages: {
        type: 'array',
        items: strict({ startedDateTime: time, id: text, title: text, pageTimings: strict({}) }),
      },
      entries: {
        type: 'array',
        items: strict(
          {
            pageref: text,
            startedDateTime: time,
            time: { type: 'number', minimum: 0 },
            request: strict(
              {
                method: text,
                url: text,
                queryString: named,
                ...messages,
                postData: strict({ mimeType: text, text }),
              },
              ['method', 'url', 'queryString', ...Object.keys(messages)],
            ),
            response: strict({
              status: { type: 'integer', minimum: 0 },
              statusText: text,
              content: strict({ size: { type: 'integer', minimum: 0 }, mimeType: text, text }),
              redirectURL: text,
              ...messages,
            }),
            cache: strict({}),
            timings: strict({ send: some, wait: some, receive: some }),
            connection: text,
          },
          ['startedDateTime', 'time', 'request', 'response', 'cache', 'timings'],
        ),
      },
    },
    ['version', 'creator', 'entries'],
  ),
})

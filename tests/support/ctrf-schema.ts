/** The Common Test Report Format as its published schema has it, as far as a report of ours goes: every object is closed. */
const text = { type: 'string' }
const name = { type: 'string', minLength: 1 }
const whole = { type: 'integer', minimum: 0 }
const free = { type: 'object' }
const closed = (properties: Record<string, object>, required: string[]) => ({
  type: 'object',
  required,
  properties: { ...properties, extra: free },
  additionalProperties: false,
})
const counts = { tests: whole, passed: whole, failed: whole, skipped: whole, pending: whole, other: whole }
const span = { start: whole, stop: whole }

export const ctrfSchema = closed(
  {
    reportFormat: { const: 'CTRF' },
    specVersion: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
    generatedBy: text,
    results: closed(
      {
        tool: closed({ name, version: text }, ['name']),
        summary: closed({ ...counts, ...span, flaky: whole, suites: whole, duration: whole }, [
          ...Object.keys(counts),
          ...Object.keys(span),
        ]),
        tests: {
          type: 'array',
          items: closed(
            {
              name,
              status: { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] },
              duration: whole,
              ...span,
              suite: { type: 'array', minItems: 1, items: text },
              message: text,
              trace: text,
              rawStatus: text,
              tags: { type: 'array', items: text },
            },
            ['name', 'status', 'duration'],
          ),
        },
        environment: closed({ appName: text, appVersion: text }, []),
      },
      ['tool', 'summary', 'tests'],
    ),
  },
  ['results', 'reportFormat', 'specVersion'],
)

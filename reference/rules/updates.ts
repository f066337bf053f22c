import type { Rules } from '../rules.types.ts'

/** The rules about updates (section 4, update semantics). */
export const updateRules = {
  mask(raw) {
    if (raw === undefined || raw.trim() === '') return undefined
    const camel = (field: string) => field.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
    return raw.split(',').map((field) => camel(field.trim()))
  },
  changed: (sent, mask, settable) =>
    settable.filter((field) => (mask ? mask.includes(field) || mask.includes('*') : sent.includes(field))),
  emptied: (field) => (field === 'description' ? '' : undefined),
  touched: (old, differs, now) => ({
    createTime: old.createTime,
    updateTime: differs ? Math.max(now, old.updateTime) : old.updateTime,
  }),
  modify({ read, change, write }) {
    const next = change(read())
    write(next)
    return next
  },
  leftByRefusedUpdate: (before) => before,
} satisfies Partial<Rules>

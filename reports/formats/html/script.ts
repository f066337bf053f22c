/** All that moves on the page: the filters, links to folded or hidden parts, copying, printing. */
export const script = `
'use strict'
const byId = (id) => document.getElementById(id)
const rows = [...document.querySelectorAll('.row')]
const groups = [...document.querySelectorAll('.group')]
const texts = new Map(rows.map((row) => [row, (row.textContent + ' ' + (row.dataset.cites || '')).toLowerCase()]))
const boxes = [...document.querySelectorAll('[name=outcome]')]

function applyFilters() {
  const words = byId('query').value.toLowerCase().split(/\\s+/).filter(Boolean)
  const outcomes = boxes.filter((box) => box.checked).map((box) => box.value)
  const level = byId('level').value
  const profile = byId('profile').value
  let shown = 0
  for (const row of rows) {
    const { outcome, level: own, profile: part } = row.dataset
    const fits =
      words.every((word) => holds(texts.get(row), word)) &&
      (outcomes.length === 0 || outcome.split(' ').some((one) => outcomes.includes(one))) &&
      (level === '' || own.split(' ').includes(level)) &&
      (profile === '' || part.split(' ').includes(profile))
    row.hidden = !fits
    if (fits) shown++
  }
  for (const group of groups) group.hidden = !group.querySelector('.row:not([hidden])')
  byId('shown').textContent = shown + (shown === rows.length ? ' shown' : ' of ' + rows.length + ' shown')
}

// S4.2 is not S4.23
function holds(text, word) {
  if (!/^[sr]\\d+(\\.\\d+)?$/.test(word)) return text.includes(word)
  return new RegExp('\\\\b' + word.replace('.', '\\\\.') + '(?![.\\\\d])').test(text)
}

function everything() {
  byId('query').value = byId('level').value = byId('profile').value = ''
  for (const box of boxes) box.checked = false
  applyFilters()
}

function goTo(id) {
  const target = byId(id)
  if (!target) return
  if (target.closest('[hidden]')) everything()
  for (let on = target; on; on = on.parentElement) if (on.tagName === 'DETAILS') on.open = true
  target.scrollIntoView()
  const handle = target.querySelector(':scope > summary')
  if (handle) handle.focus({ preventScroll: true })
}

function follow() {
  let id = location.hash.slice(1)
  try { id = decodeURIComponent(id) } catch {}
  if (id) goTo(id)
}

// the words of a statement are on the page once, and copied to where they are wanted
function quote(row) {
  const cites = row.querySelector(':scope > .more > .meta > .cites')
  if (!cites || row.querySelector('.words')) return
  const list = document.createElement('dl')
  list.className = 'words'
  for (const link of cites.children) {
    const from = byId(link.textContent)
    if (!from) continue
    const copy = from.cloneNode(true)
    copy.removeAttribute('id')
    for (const citing of copy.querySelectorAll('.citing')) citing.remove()
    list.append(copy)
  }
  row.querySelector(':scope > .more').prepend(list)
}

async function copy(button) {
  const text = button.parentElement.querySelector('pre')
  try {
    await navigator.clipboard.writeText(text.textContent)
    button.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(text)
    button.textContent = 'Selected'
  }
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}

document.addEventListener('click', (event) => {
  const target = event.target.closest('.copy, [data-query], [data-profile-query], a[href^="#"]')
  if (!target) return
  if (target.matches('.copy')) copy(target)
  else if (target.matches('[data-query]')) {
    everything()
    byId('query').value = target.dataset.query
    applyFilters()
  } else if (target.matches('[data-profile-query]')) {
    everything()
    byId('profile').value = target.dataset.profileQuery
    applyFilters()
  } else if (target.getAttribute('href') === location.hash) {
    event.preventDefault()
    follow()
  }
})
document.addEventListener('toggle', ({ target }) => { if (target.open && target.matches('.row')) quote(target) }, true)
for (const field of document.querySelectorAll('.filters input, .filters select')) field.addEventListener('input', applyFilters)
for (const scripted of document.querySelectorAll('.filters, .copy')) scripted.hidden = false

let folded = []
addEventListener('beforeprint', () => {
  if (!byId('print-all').checked) return
  folded = [...document.querySelectorAll('.finding:not([open])')]
  for (const one of folded) one.open = true
})
addEventListener('afterprint', () => {
  for (const one of folded) one.open = false
  folded = []
})
addEventListener('hashchange', follow)
if (rows.length > 0) applyFilters()
follow()
`

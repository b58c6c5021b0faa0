import { readFileSync } from 'node:fs'

const SHOWN_LENGTH = 300

/** Expected differences: `[{ "request": regex, "text": regex, "reason": string }, …]`. */
export function readExpected(file) {
  if (file === undefined) return []
  return JSON.parse(readFileSync(file, 'utf8')).map(({ request = '', text = '', reason }) => {
    if (!reason) throw new Error(`${file}: each entry needs a reason`)
    return { request: new RegExp(request), text: new RegExp(text, 's'), reason }
  })
}

/** Counts requests by group and collects differences, each kind once. */
export function createReport(expected) {
  const groups = new Map()
  const unexpected = new Map()
  const allowed = new Map()
  const excluded = new Map()

  function add(request, differences) {
    const group = groups.get(request.group) ?? { sent: 0, identical: 0, expected: 0, different: 0 }
    groups.set(request.group, group)
    group.sent += 1
    const name = `${request.service} ${request.label}`
    let bad = 0
    for (const found of differences) {
      const entry = expected.find((one) => one.request.test(name) && one.text.test(found.text))
      if (entry === undefined) bad += 1
      collect(entry === undefined ? unexpected : allowed, name, request, found, entry?.reason)
    }
    if (differences.length === 0) group.identical += 1
    else group[bad > 0 ? 'different' : 'expected'] += 1
  }

  function exclude(reason, count = 1) {
    if (count > 0) excluded.set(reason, (excluded.get(reason) ?? 0) + count)
  }

  function print(out) {
    printGroups(groups, out)
    for (const [reason, count] of excluded) out(`excluded: ${count} (${reason})`)
    printReasons(allowed, out)
    for (const one of unexpected.values()) printDifference(one, out)
    const total = sum(groups, 'different')
    out(total === 0 ? 'No differences.' : `${total} requests differ, in ${unexpected.size} ways.`)
    return total
  }

  return { add, exclude, print }
}

function collect(into, name, request, found, reason) {
  const shape = [found.old, found.present].map((text) => firstChange(text, found)).join('|')
  const key = [reason, request.service, found.part, shape].join('|')
  const one = into.get(key) ?? { name, group: request.group, found, reason, count: 0 }
  one.count += 1
  into.set(key, one)
}

/** The first characters that differ, without digits; equal for differences of the same kind. */
function firstChange(text, { old, present }) {
  let at = 0
  while (at < old.length && old[at] === present[at]) at += 1
  return text.slice(at, at + 24).replace(/[0-9a-f]*\d[0-9a-f]*/g, '9')
}

function sum(groups, key) {
  return [...groups.values()].reduce((total, group) => total + group[key], 0)
}

function printGroups(groups, out) {
  const rows = [...groups].map(([name, group]) => [name, group])
  rows.push(['all', Object.fromEntries(KEYS.map((key) => [key, sum(groups, key)]))])
  out(['group'.padEnd(28), ...KEYS.map((key) => key.padStart(10))].join(''))
  for (const [name, group] of rows) {
    out([name.padEnd(28), ...KEYS.map((key) => String(group[key]).padStart(10))].join(''))
  }
}

const KEYS = ['sent', 'identical', 'expected', 'different']

function printReasons(allowed, out) {
  for (const reason of new Set([...allowed.values()].map((one) => one.reason))) {
    const found = [...allowed.values()].filter((one) => one.reason === reason)
    const count = found.reduce((total, one) => total + one.count, 0)
    out(`expected: ${reason}: ${count} in ${found.length} ways`)
    for (const one of found) out(`  ${one.count} × ${one.name}: ${oneLine(one.found.part)}`)
  }
}

function printDifference({ name, group, found, count }, out) {
  out(`\n${count} × ${found.part}, for example ${group}: ${name.slice(0, SHOWN_LENGTH)}`)
  out(`  - ${oneLine(found.old)}`)
  out(`  + ${oneLine(found.present)}`)
}

function oneLine(text) {
  return JSON.stringify(text.slice(0, SHOWN_LENGTH)).slice(1, -1).replaceAll('\\"', '"')
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localTime, momentAt } from './zoned-time.ts'

/** Zone, time on its clocks, the moment. */
const TIMES: readonly [string, string, string | undefined][] = [
  ['UTC', '2026-05-12T14:30', '2026-05-12T14:30:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01T12:00', '2025-12-31T22:00:00.000Z'],
  ['America/New_York', '2026-07-01T23:59', '2026-07-02T03:59:00.000Z'],
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Berlin', '2026-03-29T02:30', undefined],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['Europe/Berlin', '1880-01-01T12:00', '1880-01-01T11:06:32.000Z'],
  ['Pacific/Apia', '2011-12-30T12:00', undefined],
  ['Asia/Kathmandu', '2026-02-28T00:00', '2026-02-27T18:15:00.000Z'],
  ['UTC', '0001-01-01T00:00', '0001-01-01T00:00:00.000Z'],
  ['UTC', '9999-12-31T23:59', '9999-12-31T23:59:00.000Z'],
  ['America/New_York', '9999-12-31T23:59', undefined],
  ['UTC', '2026-02-30T12:00', undefined],
  ['UTC', '0000-01-01T12:00', undefined],
  ['UTC', '2026-05-12', undefined]
]

for (const [zone, local, expected] of TIMES) {
  test(`${local} in ${zone} is ${expected ?? 'no moment'}`, () => {
    const moment = momentAt(zone, local)
    assert.equal(moment === undefined ? undefined : new Date(moment).toISOString(), expected)
    if (moment !== undefined) assert.equal(localTime(zone, moment), local)
  })
}

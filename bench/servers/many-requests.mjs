// Sends different requests in turn, which the command line of autocannon does not support.
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const [, , file] = process.argv
const load = JSON.parse(readFileSync(file, 'utf8'))
const { url, path, paths, numberedPath, body, bodies, headers, connections, seconds } = load
const { amount, sampleInt, timeout, firstNumber = 0, range } = load
let count = firstNumber
/** A prime number, so that every number of a range is used before the first one again. */
const STEP = 7_368_787

function nextPath() {
  const number = count++
  if (range === undefined) return numberedPath + number
  const scattered = range.first + ((number * STEP) % range.count)
  return numberedPath.replace('#', String(number)) + scattered
}

const requests =
  numberedPath !== undefined
    ? [{ path: '/', headers, setupRequest: (one) => ({ ...one, path: nextPath() }) }]
    : paths === undefined
      ? bodies.map((body) => ({ method: 'POST', path, body, headers }))
      : paths.map((one) =>
          body ? { path: one, method: 'POST', body, headers } : { path: one, headers }
        )
const length = amount === undefined ? { duration: seconds } : { amount, sampleInt }
const report = await autocannon({ url, connections, timeout, ...length, requests })
process.stdout.write(JSON.stringify(report))

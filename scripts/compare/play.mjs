import { compareExchange } from './differences.mjs'
import { exchange } from './exchange.mjs'
import { createValues } from './values.mjs'

const UNFINISHED_AT_ONCE = 20

/** Plays requests to a pair of servers; what they share is that equal values stay equal. */
export function createPlayer({ sides }, report) {
  const values = createValues(sides)
  const resized = new Set()

  async function play(request) {
    const targets = sides.map((side) => side.targets[request.service])
    const results = await exchange(request, targets)
    report.add(request, compareExchange(request, results, values, resized))
    return { sides: results, targets }
  }

  /** One after the other, so that both servers see the same order; unfinished ones at the end. */
  async function playAll(requests) {
    for (const request of requests) if (!request.unfinished) await play(request)
    const unfinished = requests.filter((request) => request.unfinished)
    for (let at = 0; at < unfinished.length; at += UNFINISHED_AT_ONCE) {
      await Promise.all(unfinished.slice(at, at + UNFINISHED_AT_ONCE).map(play))
    }
  }

  /** Asks both, because servers count requests, and gives what the present one says. */
  async function fetchJson(service, path) {
    const [, present] = await Promise.all(
      sides.map((side) => fetch(side.targets[service].url + path))
    )
    if (!present.ok) throw new Error(`${service} ${path}: ${present.status}`)
    return present.json()
  }

  return { play, playAll, fetchJson, sides }
}

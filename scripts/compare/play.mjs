import { compareExchange } from './differences.mjs'
import { exchange } from './exchange.mjs'
import { createValues } from './values.mjs'

const UNFINISHED_AT_ONCE = 20

/** Plays requests to a pair of servers; what they share is that equal values stay equal. */
export function createPlayer({ sides }, report) {
  const values = createValues(sides)

  async function play(request) {
    const targets = sides.map((side) => side.targets[request.service])
    const results = await exchange(request, targets)
    report.add(request, compareExchange(request, results, values))
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

  async function fetchJson(service, path) {
    const response = await fetch(sides[1].targets[service].url + path)
    if (!response.ok) throw new Error(`${service} ${path}: ${response.status}`)
    return response.json()
  }

  return { play, playAll, fetchJson, sides }
}

import { compareExchange } from './differences.mjs'
import { exchange } from './exchange.mjs'
import { createValues } from './values.mjs'

const UNFINISHED_AT_ONCE = 20

/** Sends requests to a pair of servers; equal values must stay equal over all requests. */
export function createPlayer({ sides }, report) {
  const values = createValues(sides)
  const resized = new Set()

  async function play(request) {
    const targets = sides.map((side) => side.targets[request.service])
    const results = await exchange(request, targets)
    report.add(request, compareExchange(request, results, values, resized))
    return { sides: results, targets }
  }

  /** Sends requests in sequence, so that both servers get the same order; unfinished ones last. */
  async function playAll(requests) {
    for (const request of requests) if (!request.unfinished) await play(request)
    const unfinished = requests.filter((request) => request.unfinished)
    for (let at = 0; at < unfinished.length; at += UNFINISHED_AT_ONCE) {
      await Promise.all(unfinished.slice(at, at + UNFINISHED_AT_ONCE).map(play))
    }
  }

  /** Requests both servers, because they count requests; returns the present version's response. */
  async function fetchJson(service, path) {
    const [, present] = await Promise.all(
      sides.map((side) => fetch(side.targets[service].url + path))
    )
    if (!present.ok) throw new Error(`${service} ${path}: ${present.status}`)
    return present.json()
  }

  return { play, playAll, fetchJson, sides }
}

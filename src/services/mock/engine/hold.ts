import type { IncomingMessage } from 'node:http'
import { Problem } from '../contract.ts'
import { isHanging } from '../serve/faults.ts'
import type { Exchange } from './exchange.ts'

/** Returns a function that frees the slot of a held request; undefined if too many are held. */
export type Hold = (request: IncomingMessage) => (() => void) | undefined

/** Counts a request that is delayed, once; throws if too many are. */
export function countAsHeld(exchange: Exchange, hold: Hold | undefined): void {
  const { request } = exchange.arrived
  if (hold === undefined || request === undefined || exchange.release !== undefined) return
  exchange.release = hold(request)
  if (exchange.release !== undefined) return
  exchange.delay = undefined
  exchange.fault = undefined
  throw new Problem('TOO_MANY_HELD', DETAIL)
}

/** A rule may let requests hang as well; if too many do, their connections are closed instead. */
export function limitHanging(exchange: Exchange, hold: Hold | undefined): void {
  if (!isHanging(exchange.fault)) return
  try {
    countAsHeld(exchange, hold)
  } catch {
    exchange.fault = 'empty'
  }
}

const DETAIL = 'Too many requests are delayed, in all or from your IP address; try again later.'

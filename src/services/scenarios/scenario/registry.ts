import type { Scenario } from '../pipeline/request-context.ts'
import {
  authStatus,
  forbidden,
  gone,
  notFound,
  refreshFails,
  refreshRace,
  shortToken,
  tokenExpired,
  tokenRevoked,
  unauthorized
} from './access.ts'
import { offlineThenOnline, reset, truncate } from './breaking.ts'
import {
  badGateway,
  emptyBody,
  every,
  failFirst,
  flaky,
  maintenance,
  malformedJson,
  rateLimit,
  status,
  wrongType
} from './failing.ts'
import {
  cursor,
  emptyList,
  largeList,
  lastPageShort,
  longText,
  nulls,
  oneItem,
  pagePastEnd,
  rtl,
  shifting,
  unicode,
  xss
} from './listing.ts'
import { disabled, locked, mfa, passwordExpired, unverified, wrong } from './logins.ts'
import { cors, corsPreflight, notModified, redirect, redirectLoop } from './navigation.ts'
import { sseDrop, uploadFail, uploadSlow, wsClose } from './streaming.ts'
import { drip, hang, slow } from './waiting.ts'
import { conflict, ifMatchRequired, stale, tooLarge, validation } from './writing.ts'

/** All scenarios, in the order in which they take effect if several are selected. */
export const SCENARIOS: readonly Scenario[] = [
  ...[uploadSlow, uploadFail, slow, hang, reset, offlineThenOnline],
  ...[rateLimit, maintenance, flaky, failFirst, every, badGateway, status],
  ...[redirect, redirectLoop, unauthorized, forbidden, notFound, gone, tokenExpired, tokenRevoked],
  ...[tooLarge, ifMatchRequired, stale, validation, conflict],
  ...[wrong, locked, disabled, unverified, passwordExpired, mfa],
  ...[authStatus, shortToken, refreshFails, refreshRace],
  ...[emptyList, oneItem, lastPageShort, pagePastEnd, largeList, cursor, shifting],
  ...[nulls, longText, unicode, rtl, xss, sseDrop, wsClose],
  ...[malformedJson, emptyBody, wrongType, notModified, cors, corsPreflight, drip, truncate]
] as readonly Scenario[]

const BY_NAME = new Map(SCENARIOS.map((scenario) => [scenario.name, scenario]))

export const SCENARIO_NAMES = [...BY_NAME.keys()]

export function findScenario(name: string): Scenario | undefined {
  return BY_NAME.get(name)
}

import type { IncomingMessage } from 'node:http'
import { tagSpec } from '../api/auth/credentials.ts'
import type { ScenarioContext } from '../context.ts'
import { PreflightByHeader } from '../contract.ts'
import type { Body } from '../http/body.ts'
import type { ScenarioTarget } from '../http/scenario-target.ts'
import { corsPreflight } from '../scenario/navigation.ts'
import { merge, NO_SELECTION } from '../scenario/selection.ts'
import { isCounted, isDue, matchesRule } from '../workspace/rules.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { ActiveScenarios, Route } from './request-context.ts'

export interface ScenarioSources {
  readonly context: ScenarioContext
  readonly request: IncomingMessage
  readonly method: string
  readonly target: ScenarioTarget
  readonly route: Route
  readonly workspace: Workspace | undefined
  readonly body: () => Promise<Body>
}

/** Merges the scenarios of all sources; those closer to the request have priority. */
export async function chooseScenarios(asked: ScenarioSources): Promise<ActiveScenarios> {
  const { context, request, target } = asked
  const header = headerOf(request, 'x-scenario')
  const query = target.parameters.get('scenario') ?? undefined
  const rule = await ruleSpec(asked)
  const tag = asked.route.isLogin ? await tagOf(asked.body) : undefined
  const specs = [context.options.scenario, rule, tag, target.spec, header, query]
  if (specs.every((spec) => spec === undefined)) return NO_SELECTION
  if (header !== undefined && merge([header]).has(corsPreflight.name)) throw new PreflightByHeader()
  return merge(specs)
}

export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

/** A body that cannot be read has no tags; the endpoint reports the error. */
function tagOf(body: () => Promise<Body>): Promise<string | undefined> {
  return body().then(
    ({ fields }) => tagSpec(fields),
    () => undefined
  )
}

/** Scenarios of the first rule that is due; every rule that matches counts the request. */
async function ruleSpec({
  context,
  workspace,
  ...asked
}: ScenarioSources): Promise<string | undefined> {
  if (workspace === undefined || workspace.rules.length === 0) return undefined
  const { method } = asked
  const path = `/${asked.target.segments.join('/')}`
  let spec: string | undefined
  for (const [index, rule] of workspace.rules.entries()) {
    // Preflights are not counted, except by rules with `cors-preflight`.
    if (method === 'OPTIONS' && !rule.scenario.includes(corsPreflight.name)) continue
    const wanted = method === 'OPTIONS' ? (rule.method ?? method) : method
    if (!matchesRule(rule, { method: wanted, path })) continue
    const name = `rule ${workspace.row.rules_revision}.${index}`
    const n = isCounted(rule) ? await context.store.count(workspace.id, name) : 1
    if (spec === undefined && isDue(rule, n)) spec = rule.scenario
  }
  return spec
}

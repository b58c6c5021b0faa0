import type { CodeLanguage } from '../../../../kernel/page-parts.ts'
import type { Scenario } from '../../pipeline/request-context.ts'
import { curlOf, type Example, exampleSpec, readExample } from './example.ts'

export interface Snippet {
  readonly label: string
  readonly text: string
  readonly language: CodeLanguage
}

/** The example of a scenario as code to paste. */
export function snippetsOf(base: string, scenario: Scenario): readonly Snippet[] {
  const example = readExample(scenario.name, scenario.example)
  return [
    { label: 'curl', language: 'shell', text: curlOf(base, example) },
    { label: 'fetch', language: 'script', text: fetchOf(base, example) },
    { label: 'Playwright', language: 'script', text: playwrightOf(base, scenario, example) }
  ]
}

/** Our own examples contain no quotes of this kind. */
const quote = (text: string) => `'${text}'`

function fetchOf(base: string, { method, path, body, headers }: Example): string {
  const url = quote(base + path)
  if (path.startsWith('/api/ws')) {
    return `const socket = new WebSocket(${url.replace(/^'http/, "'ws")})\nsocket.addEventListener('close', ({ code }) => document.body.append(code))`
  }
  if (path.startsWith('/api/events')) {
    return `const events = new EventSource(${url})\nevents.addEventListener('tick', ({ data }) => document.body.append(data))`
  }
  const sent = { ...(body === '' ? {} : { 'content-type': 'application/json' }), ...headers }
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quote(method)}`]),
    ...(Object.keys(sent).length === 0 ? [] : [`headers: ${objectOf(sent)}`]),
    ...(body === '' ? [] : [`body: ${quote(body)}`])
  ]
  const given =
    options.length === 0 ? '' : `, {\n${options.map((line) => `  ${line}`).join(',\n')}\n}`
  return `const response = await fetch(${url}${given})\nconst text = await response.text()`
}

function objectOf(headers: Readonly<Record<string, string>>): string {
  const entries = Object.entries(headers).map(([name, value]) => `${quote(name)}: ${quote(value)}`)
  return `{ ${entries.join(', ')} }`
}

/**
 * Lines of a Playwright test: all requests of the page to the API get the scenario, and its code
 * stays the same. A preflight has no headers of the page, so the path selects `cors-preflight`.
 */
function playwrightOf(base: string, scenario: Scenario, example: Example): string {
  const api = quote(`${base}/**`)
  if (isLoginTag(example)) {
    const email = /"email":"([^"]*)"/.exec(example.body)?.[1] ?? ''
    return `// the tag of the email address selects the scenario\nawait page.getByLabel('Email').fill(${quote(email)})`
  }
  if (scenario.name === 'cors-preflight') {
    const url = `${base}/_s/cors-preflight/api`
    return `// a front end that takes its base URL from the query\nawait page.goto('/?api=' + encodeURIComponent(${quote(url)}))`
  }
  return `await page.route(${api}, (route) => {
  const headers = { ...route.request().headers(), 'x-scenario': ${quote(exampleSpec(scenario))} }
  return route.continue({ headers })
})`
}

function isLoginTag({ path }: Example): boolean {
  return path === '/api/login'
}

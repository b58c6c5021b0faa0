import { urlVariable } from '../kernel/flag-name.ts'
import type { CodeLanguage } from '../kernel/page-parts.ts'
import { quoteForShell } from '../kernel/quote-for-shell.ts'
import type { ExampleRequest } from '../kernel/service.ts'
import type { ServiceView } from './service-view.ts'

export interface Snippet {
  label: string
  text: string
  language: CodeLanguage
}

const DEFAULT_PORT = '4000'

/** Code that uses one service or several at the URLs of the reader. */
export function snippetsOf(services: readonly ServiceView[], console: string): Snippet[] {
  return [
    { label: '.env', language: 'shell', text: environmentFile(services) },
    { label: 'curl', language: 'shell', text: services.map(curlCommand).join('\n') },
    { label: 'fetch', language: 'script', text: services.map(fetchCall).join('\n\n') },
    { label: 'Playwright', language: 'script', text: playwrightConfiguration(services, console) },
    { label: 'Vitest', language: 'script', text: vitestFile(services) }
  ]
}

function environmentFile(services: readonly ServiceView[]): string {
  return services
    .flatMap((service) => [service, ...service.ports])
    .map(({ name, url }) => `${urlVariable(name)}=${url}`)
    .join('\n')
}

export function curlCommand({ url, example }: Pick<ServiceView, 'url' | 'example'>): string {
  const { method, path, body } = example
  const target = quoteForShell(url + path)
  if (body !== undefined) return `curl --json ${quoteForShell(JSON.stringify(body))} ${target}`
  return method === 'GET' ? `curl ${target}` : `curl -X ${method} ${target}`
}

function fetchCall({ name, url, example }: ServiceView): string {
  return `const ${name}Response = await fetch(${quote(url + example.path)}${fetchOptions(example)})
const ${name}Body = await ${name}Response.json()`
}

function fetchOptions({ method, body }: ExampleRequest, indent = ''): string {
  if (body === undefined) return method === 'GET' ? '' : `, { method: '${method}' }`
  return `, {
${indent}  method: '${method}',
${indent}  headers: { 'content-type': 'application/json' },
${indent}  body: JSON.stringify(${literalOf(body)})
${indent}}`
}

/** JSON with the quotes and names that people write in JavaScript. */
function literalOf(body: object): string {
  const members = Object.entries(body).map(
    ([name, value]) =>
      `${name}: ${typeof value === 'string' ? quote(value) : JSON.stringify(value)}`
  )
  return `{ ${members.join(', ')} }`
}

function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function playwrightConfiguration(services: readonly ServiceView[], console: string): string {
  const [first] = services
  return `// playwright.config.ts: uses the running nonet, or starts one
import { defineConfig } from '@playwright/test'

export default defineConfig({
  webServer: {
    command: ${quote(`npx ${startCommand(services, console)}`)},
    url: ${quote(`${console}/readyz`)},
    reuseExistingServer: true
  }${services.length === 1 ? `,\n  use: { baseURL: ${quote(first?.url ?? '')} }` : ''}
})`
}

/** The command that starts these services at the same ports. */
export function startCommand(services: readonly ServiceView[], console: string): string {
  const base = portOf(console)
  const names = services.map(({ name }) => name)
  const all = services.flatMap((service) => [service, ...service.ports])
  const isRegular = all.every(({ url, offset }) => portOf(url) === String(+base + offset))
  if (isRegular) {
    return ['nonet up', ...names, ...(base === DEFAULT_PORT ? [] : [`--port-base ${base}`])].join(
      ' '
    )
  }
  const ports = all.map(({ name, url }) => `--port ${name}=${portOf(url)}`)
  return ['nonet up', ...names, `--port console=${base}`, ...ports].join(' ')
}

function portOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed?.port || (parsed?.protocol === 'https:' ? '443' : '80')
}

function vitestFile(services: readonly ServiceView[]): string {
  const names = services.map(({ name }) => `'${name}'`).join(', ')
  const calls = services.map(({ name, example }) => {
    const call = `fetch(\`\${nonet.${name}.url}${example.path}\`${fetchOptions(example, '  ')})`
    return `  const ${name} = await ${call}\n  expect(${name}.ok).toBe(true)`
  })
  return `import { start } from 'nonet'
import { expect, test } from 'vitest'

test('uses ${services.length === 1 ? services[0]?.name : 'nonet'}', async () => {
  // On free ports, with data that is deleted at the end.
  await using nonet = await start({ services: [${names}] })
${calls.join('\n')}
})`
}

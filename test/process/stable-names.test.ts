import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, test } from 'node:test'
import { launchLoadedNonet, ROOT, runNonet, temporaryFolder } from '../support/launcher.ts'

const FILE = join(ROOT, 'test/process/stable-names.json')
/** Set to write the file anew after a name was added; a removed or changed name is a break. */
const IS_UPDATE = process.env.NONET_UPDATE_STABLE_NAMES === '1'
const SERVICES = [
  'boxes',
  'cards',
  'countries',
  'forms',
  'mailbox',
  'mock',
  'reference',
  'scenarios',
  'statuses'
]
const CONSOLE_ROUTES = [
  ...['/', '/healthz', '/readyz', '/metrics', '/openapi/boxes.json', '/boxes/export?box=none'],
  ...['/forms/', '/forms/catch', '/forms/catch.json', '/scenarios/workspaces', '/docs/'],
  ...[
    '/docs/tutorial',
    '/api/boxes',
    '/snippets/boxes',
    '/statuses/tokens',
    '/cards/tokens',
    '/mailbox/tokens',
    '/unknown'
  ]
]
const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

type Names = Readonly<Record<string, readonly string[]>>

/** Lists that clients, scripts and stored data rely on, each read from the outside. */
describe('names that do not change', () => {
  const collected: Record<string, readonly string[]> = {}

  before(async () => {
    Object.assign(collected, await namesOfRun(), await namesOfCommands(), namesOfFiles())
    if (IS_UPDATE) writeFileSync(FILE, `${JSON.stringify(collected, null, 2)}\n`)
  })

  const known = JSON.parse(readFileSync(FILE, 'utf8')) as Names
  for (const [list, names] of Object.entries(known)) {
    test(list, () => assert.deepEqual(collected[list], names))
  }

  test('no list is missing', () => {
    assert.deepEqual(Object.keys(collected).sort(), Object.keys(known).sort())
  })
})

async function namesOfRun(): Promise<Names> {
  using folder = temporaryFolder()
  const data = join(folder.path, 'data')
  await using nonet = await launchLoadedNonet([`--data=${data}`])
  const { console: consoleUrl, services } = nonet.ready
  const documents = await Promise.all(
    SERVICES.map((service) => readDocument(service, `${consoleUrl}/openapi/${service}.json`))
  )
  const routes = await Promise.all(CONSOLE_ROUTES.map((route) => probe(consoleUrl ?? '', route)))
  await Promise.all(Object.values(services).map((url) => fetch(url)))
  const metrics = await (await fetch(`${consoleUrl}/metrics`)).text()
  await nonet.end('SIGTERM')
  const logged = nonet
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{"time"'))
  return {
    'operations and their ids': documents.flatMap(operationsOf).sort(),
    'component names': documents.flatMap(componentsOf).sort(),
    'console routes': routes,
    metrics: unique(metrics.match(/^[a-z_]+(?=[{ ])/gm) ?? []),
    'log fields': unique(logged.flatMap((line) => Object.keys(JSON.parse(line)))),
    'fields of up --json': Object.keys(nonet.ready).sort(),
    'files of the data folder': filesBelow(data),
    'tables, columns and indexes': filesBelow(data).flatMap((file) => schemaOf(data, file))
  }
}

async function namesOfCommands(): Promise<Names> {
  const help = await runNonet(['--help'])
  const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = '']) => name)
  const flags: string[][] = []
  for (const command of commands) flags.push(await flagsOf(command))
  const { stdout } = await runNonet(['config', '--schema'])
  return {
    commands: commands.toSorted(),
    flags: flags.flat().sort(),
    'keys of nonet.config.json': keysOf(JSON.parse(stdout)).sort()
  }
}

function namesOfFiles(): Names {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const errors = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8')
  return {
    'package exports': Object.entries<{ types?: string }>(exports)
      .flatMap(([name, { types }]) => exportsOf(name, types))
      .sort(),
    'error codes': unique(errors.match(/(?<=^\| `)[A-Z_]+(?=`)/gm) ?? [])
  }
}

async function readDocument(service: string, url: string): Promise<Document> {
  const document = (await (await fetch(url)).json()) as object
  return { ...document, service } as Document
}

interface Document {
  service: string
  paths: Record<string, Record<string, { operationId?: string }>>
  components?: Record<string, Record<string, unknown>>
}

function operationsOf({ service, paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, { operationId }]) => `${service}: ${method} ${path} ${operationId ?? ''}`)
  )
}

function componentsOf({ service, components = {} }: Document): string[] {
  return Object.entries(components).flatMap(([kind, members]) =>
    Object.keys(members).map((name) => `${service}: ${kind} ${name}`)
  )
}

async function probe(base: string, route: string): Promise<string> {
  const { status, headers } = await fetch(base + route)
  return `${route} ${status} ${headers.get('content-type')}`
}

async function flagsOf(command: string): Promise<string[]> {
  const { stdout } = await runNonet([command, '--help'])
  return unique(stdout.match(/(?<=^ {2,})--?[a-z][a-z-]*/gm) ?? []).map(
    (flag) => `${command} ${flag}`
  )
}

interface Schema {
  properties?: Record<string, Schema>
}

function keysOf({ properties = {} }: Schema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    prefix + name,
    ...keysOf(schema, `${prefix}${name}.`)
  ])
}

/** `./dist/host/start.d.ts` is made from `src/host/start.ts`. */
function exportsOf(name: string, types: string | undefined): string[] {
  if (types === undefined) return [name]
  const source = join(ROOT, types.replace('./dist', 'src').replace('.d.ts', '.ts'))
  const text = readFileSync(source, 'utf8')
  const declared = text.matchAll(
    /^export (?:async )?(?:function|const|interface|type|class) (\w+)/gm
  )
  const lists = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)
  return [
    ...[...declared].map(([, exported]) => `${name} ${exported}`),
    ...[...lists].flatMap(([, list = '']) =>
      list
        .split(',')
        .map((item) => item.trim().replace(/^.* as /, ''))
        .filter(Boolean)
        .map((exported) => `${name} ${exported}`)
    ),
    ...(/^export default/m.test(text) ? [`${name} default`] : [])
  ]
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

/** The statements of a schema as a digest each, so that no migration changes what it makes. */
function schemaOf(folder: string, file: string): string[] {
  if (!file.endsWith('.sqlite')) return []
  const database = new DatabaseSync(join(folder, file), { readOnly: true })
  const rows = database
    .prepare('select type, name, sql from sqlite_master order by type, name')
    .all()
  database.close()
  return rows.map(({ type, name, sql }) => {
    const digest = createHash('sha256').update(String(sql)).digest('hex').slice(0, 12)
    return `${file}: ${type} ${name} ${digest}`
  })
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}

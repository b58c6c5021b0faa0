import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { launchNonet, ROOT, temporaryFolder } from '../support/launcher.ts'
import { nodeBinaries } from '../support/node-binaries.ts'

/** Each expected error is one: without it the compiler complains about the comment. */
const TYPED_USE = `
import { start } from 'nonet'
import { type CoverageReport, type MockedApi, mock } from 'nonet/mock'

const nonet = await start({ services: ['reference'] })
const address: string = nonet.reference.url
// @ts-expect-error forms was not asked for
nonet.forms
await nonet.stop()

await using api: MockedApi = await mock(['openapi.yaml', new URL('file:///a.yaml')], {
  dynamic: true, seed: 'a', validateRequest: false, failOn: ['violation'], port: 0
})
const first: string | undefined = api.operations[0]?.url
const report: CoverageReport = api.coverage()
const calls: number | undefined = report.byOperation[0]?.calls
const where: string | undefined = api.violations()[0]?.location
// @ts-expect-error it is a switch
await mock('openapi.yaml', { dynamic: 'yes' })
// @ts-expect-error there is no such option
await mock('openapi.yaml', { dynamics: true })
console.log(address, first, calls, where)
`

describe('the published package', () => {
  const folder = temporaryFolder()
  const npm = (...args: string[]) =>
    execFileSync('npm', args, {
      cwd: folder.path,
      encoding: 'utf8',
      shell: process.platform === 'win32'
    })

  before(() => {
    const env = { ...process.env, NONET_BUILD_CHECKED: '1' }
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder.path], { cwd: ROOT, env })
    const archive = readdirSync(folder.path).find((name) => name.endsWith('.tgz')) ?? ''
    writeFileSync(join(folder.path, 'package.json'), '{"private":true,"type":"module"}')
    npm('install', '--no-audit', '--no-fund', '--prefer-offline', `./${archive}`)
  })
  after(() => folder[Symbol.dispose]())

  test('it holds compiled code, types and data, and no sources or tests', () => {
    const listed = execFileSync(
      'tar',
      ['-tzf', readdirSync(folder.path).find((name) => name.endsWith('.tgz')) ?? ''],
      {
        cwd: folder.path,
        encoding: 'utf8'
      }
    ).split('\n')
    for (const path of [
      'bin/nonet.mjs',
      'dist/main.js',
      'dist/host/start.d.ts',
      'dist/host/mock.d.ts',
      'data/mock/garden.yaml',
      'dist/kernel/page.css',
      'docs/README.md',
      'docs/services/boxes.md',
      'data/reference/people.json',
      'data/countries/countries.json',
      'dist/services/countries/schema.graphql',
      'dist/services/countries/playground/browser/files/graphiql.js',
      'dist/services/countries/playground/browser/files/graphiql.LICENSE',
      'LICENSE'
    ]) {
      assert.ok(listed.includes(`package/${path}`), path)
    }
    for (const path of listed)
      assert.doesNotMatch(path, /^package\/(src|test|bench|scripts)\/|\.test\./)
  })

  test('the types of start and mock say what they give', () => {
    writeFileSync(join(folder.path, 'typed.ts'), TYPED_USE)
    execFileSync(
      process.execPath,
      [
        join(ROOT, 'node_modules/typescript/bin/tsc'),
        ...['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'],
        ...['--lib', 'es2024,esnext.disposable,dom', '--types', 'node'],
        ...['--typeRoots', join(ROOT, 'node_modules/@types'), '--skipLibCheck', 'typed.ts']
      ],
      { cwd: folder.path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }
    )
  })

  for (const { version, path } of nodeBinaries()) {
    const env = { PATH: `${dirname(path)}${delimiter}${process.env.PATH}` }

    test(`npx nonet up works on Node ${version}`, async () => {
      await using nonet = await launchNonet(['--ephemeral'], {
        cwd: folder.path,
        env,
        launcher: ['npx', 'nonet']
      })
      const answer = await fetch(`${nonet.ready.services.reference}/api/people/1/`)
      assert.equal(answer.status, 200)
      assert.equal(Object.keys((await answer.json()) as object).length, 16)
      const { countries = '' } = nonet.ready.services
      const query = encodeURIComponent('{ country(code: "BR") { name(lang: "sv") } }')
      assert.equal(
        await (await fetch(`${countries}/?query=${query}`)).text(),
        '{"data":{"country":{"name":"Brasilien"}}}'
      )
      for (const name of [
        'react.js',
        'react-dom.js',
        'graphiql.js',
        'graphiql.css',
        'start.js',
        'page.css'
      ]) {
        assert.equal((await fetch(`${countries}/playground/${name}`)).status, 200, name)
      }
      const beds = await fetch(`${nonet.ready.services.mock}/beds`)
      assert.match(await beds.text(), /Herb spiral/)
      const page = await fetch(nonet.ready.console ?? '')
      assert.match(await page.text(), /<h1>/)
      const guide = await fetch(`${nonet.ready.console}/docs/services/boxes`)
      assert.match(await guide.text(), /<h1 id="doc-boxes">boxes<\/h1>/)
      const script = await fetch(`${nonet.ready.services.boxes}/_page/box-page.js`)
      const imported = [...(await script.text()).matchAll(/from '(\.\/[^']+)'/g)]
      assert.ok(imported.length > 0)
      for (const [, path = ''] of imported) {
        assert.equal((await fetch(new URL(path, script.url))).status, 200, path)
      }
    })

    test(`every export can be imported on Node ${version}`, () => {
      const script = `
        import assert from 'node:assert/strict'
        import { start } from 'nonet'
        import { forward } from 'nonet/forms'
        import worker, { createFetchHandler } from 'nonet/forms/fetch'
        import { createHandler, handler } from 'nonet/forms/lambda'
        import { createFunction, forms } from 'nonet/forms/gcf'
        import { mock } from 'nonet/mock'
        assert.equal(process.versions.node.split('.')[0], '${version}')
        for (const f of [forward, worker.fetch, createFetchHandler, createHandler, handler, createFunction, forms]) {
          assert.equal(typeof f, 'function')
        }
        const answer = await worker.fetch(new Request('http://localhost/', { method: 'POST' }), {})
        assert.equal(await answer.text(), 'Name and email are required.')
        const nonet = await start({ services: ['reference'] })
        const { name } = await (await fetch(nonet.reference.url + '/api/people/1/')).json()
        assert.ok(name)
        await nonet.stop()
        const api = await mock('node_modules/nonet/data/mock/garden.yaml')
        const plant = await (await fetch(api.url + '/plants/1')).json()
        assert.equal(plant.name, 'Basil')
        assert.deepEqual(api.violations(), [])
        await api.stop()
        console.log('fine')`
      writeFileSync(join(folder.path, 'imports.js'), script)
      const printed = execFileSync(path, ['imports.js'], { cwd: folder.path, encoding: 'utf8' })
      assert.equal(printed, 'fine\n')
    })
  }
})

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { scratchFolder } from '../../../test/support/scratch-folder.ts'
import { createImages, ImageRefused } from './images.ts'
import { isSvg } from './svg-header.ts'

const images = createImages({ svg: true })
const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const RED = '<rect width="20" height="10" fill="#ff0000"/>'
const svg = (content: string, size = 'width="20" height="10"', prolog = '') =>
  Buffer.from(`${prolog}<svg ${NAMESPACES} ${size}>${content}</svg>`)

test('SVG is known by its first element', () => {
  const cases: [string, boolean][] = [
    ['<svg>', true],
    ['<svg/>', true],
    ['\ufeff <?xml version="1.0"?>\n<!-- a > b --><svg\nwidth="1">', true],
    ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a.dtd"><svg >', true],
    ['<!doctype svg [<!ENTITY a "]>"> <!ENTITY b \'>\'>]><svg >', true],
    ['', false],
    ['<svgx>', false],
    ['<html><svg>', false],
    ['text <svg>', false],
    ['<!-- <svg>', false],
    ['<!DOCTYPE svg [ <svg>', false],
    [`<!--${' '.repeat(2000)}--><svg>`, false],
    ['\u0089PNG\r\n\u001a\n<svg>', false]
  ]
  for (const [text, expected] of cases) assert.equal(isSvg(Buffer.from(text)), expected, text)
})

describe('images in SVG', () => {
  test('become PNG without the text of the file', async () => {
    const bytes = svg(`<metadata>PLANTED-SECRET</metadata>${RED}`, undefined, '<!-- PLANTED -->')
    const { bytes: png, ...facts } = await images.clean(bytes)
    const expected = { mediaType: 'image/png', width: 20, height: 10, color: '#ff0000' }
    assert.deepEqual(facts, expected)
    assert.deepEqual((await sharp(png).metadata()).format, 'png')
    assert.ok(!png.includes('PLANTED'))
  })

  test('are rejected as before without the option, and without sharp with a sentence', async () => {
    const message = /use JPEG, PNG, WebP, GIF or AVIF\.$/
    await assert.rejects(createImages().clean(svg(RED)), { name: 'ImageRefused', message })
    const plain = createImages({ svg: true, load: () => Promise.reject(new Error('none')) })
    await assert.rejects(plain.clean(svg(RED)), /^ImageRefused: SVG images need the package sharp/)
    await assert.rejects(images.clean(Buffer.from('BM')), /GIF, AVIF or SVG\.$/)
  })

  test('are no decoder for other types, nor for stored files', async () => {
    await images.clean(svg(RED))
    const disguised = Buffer.concat([Buffer.from('GIF89a'), svg(RED)])
    await assert.rejects(images.clean(disguised), { name: 'ImageRefused', message: /GIF image/ })
    const size = { width: 5, height: 5, fit: 'inside' } as const
    const resized = images.resize('svg', async () => svg(RED), size)
    await assert.rejects(resized, /not an image of a type/)
    await assert.rejects(sharp(svg(RED)).metadata(), /unsupported image format/)
  })

  test('load neither files nor URLs', async () => {
    const folder = scratchFolder()
    const lime = { create: { width: 20, height: 10, channels: 3, background: '#00ff00' } } as const
    writeFileSync(join(folder, 'lime.png'), await sharp(lime).png().toBuffer())
    const rect = '<rect width="20" height="10" fill="#00ff00"/>'
    writeFileSync(join(folder, 'lime.svg'), `<svg ${NAMESPACES}><g id="a">${rect}</g></svg>`)
    writeFileSync(join(folder, 'lime.txt'), rect)
    writeFileSync(join(folder, 'lime.css'), 'rect { fill: #00ff00 }')
    const requests: unknown[] = []
    const server = createServer((request, response) => {
      requests.push(request.url)
      response.end(rect)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const file = (name: string) => pathToFileURL(join(folder, name)).href
    const references = [local, folder, file('')].flatMap((base) => {
      const at = (name: string) => `${base.replace(/\/$/, '')}/${name}`
      const image = '<image width="20" height="10"'
      const elements = [
        `<style>@import url("${at('lime.css')}");</style>${RED}`,
        `${image} href="${at('lime.png')}"/>${image} xlink:href="${at('lime.svg')}"/>`,
        `<use href="${at('lime.svg')}#a"/><use xlink:href="${at('lime.svg')}#a"/>`,
        `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${at('lime.txt')}"/>`
      ]
      const sheet = `<?xml-stylesheet href="${at('lime.css')}" type="text/css"?>`
      return [
        svg(elements.join(''), undefined, `${sheet}<!DOCTYPE svg SYSTEM "${at('lime.txt')}">`),
        svg(`${RED}&a;`, undefined, `<!DOCTYPE svg [<!ENTITY a SYSTEM "${at('lime.txt')}">]>`)
      ]
    })
    const embedded = readFileSync(join(folder, 'lime.png')).toString('base64')
    const shown = svg(`<image href="data:image/png;base64,${embedded}"/>`)
    assert.equal((await images.clean(shown)).color, '#00ff00')
    const outcomes = await Promise.allSettled(references.map((bytes) => images.clean(bytes)))
    server.close()
    const colors = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.color : String(outcome.reason)
    )
    for (const color of colors) assert.match(color ?? '', /^#ff0000$|SVG image is damaged/)
    assert.ok(colors.filter((color) => color === '#ff0000').length >= 3)
    assert.deepEqual(requests, [])
  })
})

describe('limits of SVG', () => {
  const rejected = (message: RegExp) => ({ name: 'ImageRefused', message })

  test('bytes and pixels', async () => {
    const long = svg(`<!--${'x'.repeat(4 * 1024 * 1024)}-->${RED}`)
    await assert.rejects(images.clean(long), rejected(/larger than 4 MB; make it smaller/))
    for (const size of ['width="5000" height="5000"', 'viewBox="0 0 30000 30000"']) {
      await assert.rejects(images.clean(svg(RED, size)), rejected(/pixels, more than 16 million/))
    }
    for (const size of ['width="1e9" height="1e9"', 'width="1e300" height="9"', 'width="0"']) {
      const { width, height } = await images.clean(svg(RED, size)).catch((error) => {
        assert.ok(error instanceof ImageRefused)
        return { width: 1, height: 1 }
      })
      assert.ok(width * height < 16_000_000, size)
    }
  })

  test('entities and damaged files', async () => {
    const names = [...'abcdefghij']
    const entities = names.map((name, index) => {
      const value = index === 0 ? 'aaaaaaaaaa' : `&${names[index - 1]};`.repeat(10)
      return `<!ENTITY ${name} "${value}">`
    })
    const bomb = svg(`<text>&j;</text>`, undefined, `<!DOCTYPE svg [${entities.join('')}]>`)
    await assert.rejects(images.clean(bomb), rejected(/damaged|not an image/))
    for (const text of ['<svg', '<svg >', '<svg ></g>', `<svg ${NAMESPACES} width="9"><g>`]) {
      await assert.rejects(images.clean(Buffer.from(text)), rejected(/damaged|not an image/))
    }
  })

  test('time: the renderer is stopped', async () => {
    const strict = createImages({ svg: true, limits: { seconds: 1 } })
    const blur = '<feGaussianBlur stdDeviation="300"/><feTurbulence numOctaves="9"/>'.repeat(20)
    const filter = `<filter id="f">${blur}</filter><rect width="100%" height="100%" filter="url(#f)"/>`
    const groups = Array.from({ length: 7 }, (_, index) => {
      const uses = `<use href="#a${index}"/>`.repeat(10)
      return `<g id="a${index + 1}">${uses}</g>`
    })
    const uses = `<g id="a0">${RED}</g>${groups.join('')}<use href="#a7"/>`
    const bombs = [svg(filter, 'width="3000" height="3000"'), svg(uses)]
    const start = performance.now()
    const message = /takes more than 1 second or too much memory; simplify it/
    await Promise.all(bombs.map((bytes) => assert.rejects(strict.clean(bytes), rejected(message))))
    assert.ok(performance.now() - start < 20_000)
    let color: string | undefined
    // On a busy machine even a small image may take more than the second.
    for (let tries = 0; color === undefined && tries < 10; tries++) {
      color = (await strict.clean(svg(RED)).catch(() => undefined))?.color
    }
    assert.equal(color, '#ff0000')
  })
})

import { contract, type Row } from '../support/contract.ts'

/** The board of the sample, by its short link. */
const BOARD = '/1/boards/PrtFl1o9'
const UNKNOWN = '0123456789abcdef01234567'
const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'
const PROBLEM = 'application/problem+json; charset=utf-8'

function found(path: string, text: RegExp | string, type = JSON_TYPE): Row {
  return {
    proves: `${path} is read without a token`,
    send: { path },
    expect: { status: 200, type, text }
  }
}

function rejected(path: string, status: number, text: string, method = 'GET'): Row {
  return {
    proves: `${method} ${path} gets ${status}`,
    send: { method, path },
    expect: { status, type: TEXT, text }
  }
}

function problem(path: string, status: number, code: string): Row {
  const text = new RegExp(`^\\{"type":"about:blank",.*"status":${status},.*"code":"${code}"`)
  return {
    proves: `${path} gets ${status}`,
    send: { path },
    expect: { status, type: PROBLEM, text }
  }
}

const NOT_FOUND = 'The requested resource was not found.'
const NO_PERMISSION = 'unauthorized permission requested'

contract('I-9, the sample as clients of Trello read it', { service: 'cards' }, [
  found(BOARD, /"name":"Portfolio".*"idOrganization":"[0-9a-f]{24}"/),
  found(
    `${BOARD}/?fields=name&lists=open&cards=visible&card_attachments=true`,
    /"attachments":\[\{/
  ),
  found(`${BOARD}/name`, '{"_value":"Portfolio"}'),
  found(`${BOARD}/lists`, /^\[\{"id":"[0-9a-f]{24}".*"name":"Published"/),
  found(
    `${BOARD}/cards?fields=name,desc,&attachments=true&customFieldItems=true`,
    /"value":\{"date":/
  ),
  rejected('/1/board/prtfl1o9', 404, NOT_FOUND),
  found(`${BOARD}/labels`, /"color":/),
  found(`${BOARD}/customFields`, /"modelType":"board"/),
  found('/b/PrtFl1o9.json', /"customFields":\[/),
  found('/b/PrtFl1o9/portfolio.json', /"cards":\[\{/),
  found(`/1/batch?urls=/boards/PrtFl1o9/name,/boards/${UNKNOWN}`, /^\[\{"200":.*\{"404":/),
  rejected('/1/boards/portfolio', 400, 'invalid id'),
  rejected(`/1/boards/${UNKNOWN}`, 404, NOT_FOUND),
  rejected(`/1/cards/${UNKNOWN}`, 404, NOT_FOUND),
  rejected('/1/members/me', 401, NO_PERMISSION),
  rejected('/1/members/me?token=x', 401, 'invalid token'),
  rejected('/1/cards?name=A', 401, NO_PERMISSION, 'POST'),
  rejected(`${BOARD}?name=A`, 401, NO_PERMISSION, 'PUT'),
  rejected(BOARD, 401, NO_PERMISSION, 'DELETE'),
  rejected('/1/nothing', 404, 'Cannot GET /1/nothing')
])

contract('I-9, the sample as the content of a site', { service: 'cards' }, [
  found('/content', /"slug":"portfolio"/),
  found('/content/portfolio', /"name":"Portfolio"/),
  found(
    '/content/portfolio/cards',
    /^\{"cards":\[\{"id":"[0-9a-f]{24}","slug":"[a-z0-9-]+","title":/
  ),
  found('/content/portfolio/cards?sort=-completed&limit=2', /"next":"[^"]+","total":\d+\}$/),
  found('/content/PrtFl1o9/cards/harbour-lights', /"title":"Harbour lights"/),
  found('/content/portfolio/cards?q=tide', /"slug":"harbour-lights"/),
  found('/content/portfolio/feed.json', /jsonfeed\.org/, 'application/feed+json; charset=utf-8'),
  found('/content/portfolio/feed.xml', /<rss /, 'application/rss+xml; charset=utf-8'),
  rejected(`/images/${'0'.repeat(64)}.png`, 404, NOT_FOUND),
  problem('/content/none/cards', 404, 'OBJECT_UNKNOWN'),
  problem('/content/portfolio/cards/none', 404, 'OBJECT_UNKNOWN'),
  problem('/content/portfolio/cards?sort=size', 400, 'CONTENT_INVALID'),
  problem('/content/portfolio/cards?colour=red', 400, 'CONTENT_INVALID'),
  problem('/content/portfolio/cards?token=x', 401, 'TOKEN_INVALID')
])

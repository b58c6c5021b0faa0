import { contract } from '../support/contract.ts'

const JSON_HEADERS = { 'content-type': 'application/json' }
const NOT_FOUND = { statusCode: 404, error: 'Not Found' }

contract('I-6, requests to an empty sandbox', { service: 'mailbox', isForOperators: true }, [
  { proves: 'health', send: { path: '/health' }, expect: { status: 200, json: { success: true } } },
  {
    proves: 'an empty list',
    send: { path: '/v1/sandbox/messages' },
    expect: {
      status: 200,
      type: /^application\/json/,
      json: { total: 0, page: 0, pages: 0, messages: [] },
      headers: {
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': null
      }
    }
  },
  {
    proves: 'no accounts',
    send: { path: '/v1/sandbox/accounts' },
    expect: { status: 200, json: { total: 0, next: null, accounts: [] } }
  },
  {
    proves: 'an account that a client chooses',
    send: {
      method: 'POST',
      path: '/v1/sandbox/accounts',
      headers: JSON_HEADERS,
      body: '{"account":"row","name":null}'
    },
    expect: { status: 200, text: /"account":"row","token":"[0-9a-f]{64}"/ }
  },
  {
    proves: 'the account again',
    send: { path: '/v1/sandbox/accounts/row' },
    expect: { status: 200, text: /"address":"row@sandbox\.test"/ }
  },
  {
    proves: 'the account of caught mail exists from the start',
    send: { path: '/v1/sandbox/accounts/caught' },
    expect: { status: 200, text: /"address":"caught@nonet\.localhost"/ }
  },
  {
    proves: 'a wrong page',
    send: { path: '/v1/sandbox/messages?page=x' },
    expect: {
      status: 400,
      json: {
        statusCode: 400,
        error: 'Bad Request',
        message: 'Invalid input',
        fields: [{ key: 'page', message: 'must be a number from 0 to 1048576' }]
      }
    }
  },
  {
    proves: 'an unknown message',
    send: { path: '/v1/sandbox/messages/AAAAAQAAAAE' },
    expect: {
      status: 404,
      json: {
        ...NOT_FOUND,
        message: 'Requested message was not found',
        code: 'MessageNotFound'
      }
    }
  },
  {
    proves: 'an unknown account',
    send: { method: 'DELETE', path: '/v1/sandbox/accounts/nobody' },
    expect: {
      status: 404,
      json: {
        ...NOT_FOUND,
        message: 'Account record was not found for requested ID',
        code: 'AccountNotFound'
      }
    }
  },
  {
    proves: 'a wait that does not wait',
    send: { path: '/v1/sandbox/wait?timeout=0' },
    expect: { status: 408, text: /"code":"Timeout"/ }
  },
  {
    proves: 'nothing to delete',
    send: { method: 'DELETE', path: '/v1/sandbox/messages?subject=x' },
    expect: { status: 200, json: { deleted: 0 } }
  },
  {
    proves: 'a request of another origin',
    send: {
      method: 'POST',
      path: '/v1/sandbox/accounts',
      headers: { origin: 'https://evil.example' }
    },
    expect: { status: 403, text: /"code":"ForeignOrigin"/ }
  }
])

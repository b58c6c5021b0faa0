import {
  content,
  inPath,
  inQuery,
  type OpenapiPart,
  ref,
  response
} from '../../../kernel/openapi.ts'
import { BYTES, error, operation } from './operation.ts'

const ACCOUNT = inPath('account', 'Id of an account')
const MESSAGE = inPath('message', 'Id of a message')
const CONDITIONS = [
  inQuery('account', 'Id of the account; all accounts of the token by default'),
  inQuery('to', 'A part of a recipient, without case; blind copies too'),
  inQuery('from', 'A part of the sender, without case'),
  inQuery('subject', 'A part of the subject, without case'),
  inQuery('search', 'A part of subject, sender, recipients or the start of the text')
]
const PAGE_SIZE = inQuery('pageSize', '20 by default', {
  type: 'integer',
  minimum: 1,
  maximum: 1000
})

const NOT_FOUND = error('The account or message does not exist, or the token is not for it')
function accountPaths(): OpenapiPart {
  return {
    '/v1/sandbox/accounts': {
      post: operation(
        'createSandboxAccount',
        'Create an account with a token of its own; for operators',
        {
          200: response('The account', ref('NewAccount')),
          409: error('The account or address exists, or there are too many tokens'),
          413: error('The body is too large'),
          415: error('The body is not JSON')
        },
        { requestBody: { content: content(ref('AccountRequest')) } }
      ),
      get: operation(
        'listSandboxAccounts',
        'Accounts by id; for operators',
        { 200: response('A page of accounts', ref('AccountList')) },
        { parameters: [inQuery('after', 'Value of next of the page before'), PAGE_SIZE] }
      )
    },
    '/v1/sandbox/accounts/{account}': {
      parameters: [ACCOUNT],
      get: operation('showSandboxAccount', 'An account with its settings for mail programs', {
        200: response('The account', ref('Account')),
        404: NOT_FOUND
      }),
      delete: operation('deleteSandboxAccount', 'Delete an account, its mail and its tokens', {
        200: response('It is deleted', ref('DeletedAccount')),
        404: NOT_FOUND
      })
    }
  }
}

function messagePaths(): OpenapiPart {
  return {
    '/v1/sandbox/messages': {
      get: operation(
        'listSandboxMessages',
        'Messages, newest first',
        { 200: response('A page of messages', ref('MessageList')), 404: NOT_FOUND },
        {
          parameters: [
            ...CONDITIONS,
            inQuery('page', 'From 0', { type: 'integer', minimum: 0, maximum: 1_048_576 }),
            PAGE_SIZE
          ]
        }
      ),
      delete: operation(
        'deleteSandboxMessages',
        'Delete all messages that match',
        { 200: response('They are deleted', ref('DeletedMessages')), 404: NOT_FOUND },
        { parameters: CONDITIONS }
      )
    },
    '/v1/sandbox/messages/{message}': {
      parameters: [MESSAGE],
      get: operation('showSandboxMessage', 'A message with its headers, texts and attachments', {
        200: response('The message', ref('Message')),
        404: NOT_FOUND
      }),
      delete: operation('deleteSandboxMessage', 'Delete a message', {
        200: response('It is deleted', ref('DeletedMessage')),
        404: NOT_FOUND
      })
    },
    '/v1/sandbox/messages/{message}/source': {
      parameters: [MESSAGE],
      get: operation('downloadSandboxSource', 'The message as it was received', {
        200: response('The message', BYTES, 'message/rfc822'),
        404: NOT_FOUND
      })
    },
    '/v1/sandbox/messages/{message}/attachments/{attachment}': {
      parameters: [MESSAGE, inPath('attachment', 'Id of an attachment of the message')],
      get: operation('downloadSandboxAttachment', 'The decoded bytes of an attachment', {
        200: response('The attachment, with its own media type', BYTES, '*/*'),
        404: NOT_FOUND
      })
    },
    '/v1/sandbox/wait': {
      get: operation(
        'waitForSandboxMessage',
        'The newest message that matches, or else the next one to arrive',
        {
          200: response('The message', ref('Message')),
          404: NOT_FOUND,
          408: error('No matching message arrived in time'),
          503: error('Too many requests wait, or the service is stopping')
        },
        {
          parameters: [
            ...CONDITIONS,
            inQuery('timeout', 'Seconds; 10 by default', {
              type: 'integer',
              minimum: 0,
              maximum: 120
            })
          ]
        }
      )
    }
  }
}

export function sandboxPaths(): OpenapiPart {
  return { ...accountPaths(), ...messagePaths() }
}

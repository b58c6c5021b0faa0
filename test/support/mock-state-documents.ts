/** Three documents with different kinds of collections that store what is written. */

const problem = (description: string) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['message'],
        properties: { message: { type: 'string' } }
      },
      example: { message: description }
    }
  }
})

const json = (schema: object, more: object = {}) => ({
  content: { 'application/json': { schema, ...more } }
})

/** Version 3.0: bare arrays, numeric ids, timestamps of the server, a secret, closed schemas. */
export const TODOS = {
  openapi: '3.0.3',
  info: { title: 'To-do list', version: '1' },
  paths: {
    '/todos': {
      get: {
        operationId: 'listTodos',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 0, maximum: 50 } },
          { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0 } }
        ],
        responses: {
          200: {
            description: 'All',
            headers: { 'X-Total-Count': { schema: { type: 'integer' } } },
            ...json(
              { type: 'array', items: { $ref: '#/components/schemas/Todo' } },
              {
                example: [
                  { id: 1, title: 'Buy milk', done: true, createdAt: '2026-01-02T03:04:05Z' },
                  { id: 4, title: 'Sow peas', done: false, createdAt: '2026-01-03T03:04:05Z' }
                ]
              }
            )
          }
        }
      },
      post: {
        operationId: 'addTodo',
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/NewTodo' }) },
        responses: {
          201: {
            description: 'Added',
            headers: { Location: { schema: { type: 'string', format: 'uri-reference' } } },
            ...json({ $ref: '#/components/schemas/Todo' })
          }
        }
      }
    },
    '/todos/{todoId}': {
      parameters: [
        { name: 'todoId', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
      ],
      get: {
        operationId: 'getTodo',
        responses: {
          200: { description: 'One', ...json({ $ref: '#/components/schemas/Todo' }) },
          404: problem('There is no such to-do.')
        }
      },
      put: {
        operationId: 'putTodo',
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/NewTodo' }) },
        responses: {
          200: { description: 'Replaced', ...json({ $ref: '#/components/schemas/Todo' }) }
        }
      },
      patch: {
        operationId: 'changeTodo',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/TodoChange' } },
            'application/merge-patch+json': { schema: { $ref: '#/components/schemas/TodoChange' } }
          }
        },
        responses: {
          200: { description: 'Changed', ...json({ $ref: '#/components/schemas/Todo' }) },
          404: problem('There is no such to-do.')
        }
      },
      delete: {
        operationId: 'dropTodo',
        responses: { 204: { description: 'Gone' }, 404: problem('There is no such to-do.') }
      }
    }
  },
  components: {
    schemas: {
      NewTodo: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string', minLength: 1 },
          done: { type: 'boolean', default: false },
          note: { type: 'string', nullable: true },
          pin: { type: 'string', writeOnly: true }
        }
      },
      TodoChange: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 1 },
          done: { type: 'boolean' },
          note: { type: 'string', nullable: true }
        }
      },
      Todo: {
        type: 'object',
        required: ['id', 'title', 'done', 'createdAt'],
        additionalProperties: false,
        properties: {
          id: { type: 'integer', readOnly: true },
          title: { type: 'string' },
          done: { type: 'boolean', default: false },
          note: { type: 'string', nullable: true },
          pin: { type: 'string', writeOnly: true },
          createdAt: { type: 'string', format: 'date-time', readOnly: true },
          updatedAt: { type: 'string', format: 'date-time', readOnly: true }
        }
      }
    }
  }
}

/** Version 2.0: projects with nested tasks, in envelopes with pages. */
export const PROJECTS = {
  swagger: '2.0',
  info: { title: 'Projects', version: '1' },
  basePath: '/api',
  consumes: ['application/json'],
  produces: ['application/json'],
  paths: {
    '/projects': {
      get: {
        operationId: 'listProjects',
        parameters: [
          { name: 'page', in: 'query', type: 'integer', minimum: 1, default: 1 },
          { name: 'per_page', in: 'query', type: 'integer', minimum: 1, maximum: 50, default: 2 }
        ],
        responses: { 200: { description: 'A page', schema: { $ref: '#/definitions/ProjectPage' } } }
      },
      post: {
        operationId: 'addProject',
        parameters: [
          {
            name: 'body',
            in: 'body',
            required: true,
            schema: { $ref: '#/definitions/ProjectName' }
          }
        ],
        responses: {
          201: { description: 'Added', schema: { $ref: '#/definitions/ProjectBox' } }
        }
      }
    },
    '/projects/{project_id}': {
      parameters: [{ name: 'project_id', in: 'path', required: true, type: 'integer' }],
      get: {
        operationId: 'getProject',
        responses: { 200: { description: 'One', schema: { $ref: '#/definitions/ProjectBox' } } }
      },
      delete: {
        operationId: 'dropProject',
        responses: {
          200: {
            description: 'Gone',
            schema: {
              type: 'object',
              required: ['message'],
              properties: { message: { type: 'string', example: 'gone' } }
            }
          }
        }
      }
    },
    '/projects/{id}/tasks': {
      parameters: [{ name: 'id', in: 'path', required: true, type: 'integer' }],
      get: {
        operationId: 'listTasks',
        responses: { 200: { description: 'All', schema: { $ref: '#/definitions/TaskList' } } }
      },
      post: {
        operationId: 'addTask',
        parameters: [
          { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/TaskName' } }
        ],
        responses: { 201: { description: 'Added', schema: { $ref: '#/definitions/Task' } } }
      }
    },
    '/projects/{id}/tasks/{task_id}': {
      parameters: [
        { name: 'id', in: 'path', required: true, type: 'integer' },
        { name: 'task_id', in: 'path', required: true, type: 'integer' }
      ],
      get: {
        operationId: 'getTask',
        responses: { 200: { description: 'One', schema: { $ref: '#/definitions/Task' } } }
      },
      patch: {
        operationId: 'changeTask',
        parameters: [
          { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/TaskChange' } }
        ],
        responses: { 200: { description: 'Changed', schema: { $ref: '#/definitions/Task' } } }
      },
      delete: { operationId: 'dropTask', responses: { 204: { description: 'Gone' } } }
    }
  },
  definitions: {
    Project: {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: { type: 'string' } }
    },
    ProjectName: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' } }
    },
    ProjectBox: {
      type: 'object',
      required: ['data'],
      properties: { data: { $ref: '#/definitions/Project' } }
    },
    ProjectPage: {
      type: 'object',
      required: ['data', 'total', 'page', 'per_page', 'total_pages'],
      properties: {
        data: { type: 'array', items: { $ref: '#/definitions/Project' } },
        total: { type: 'integer' },
        page: { type: 'integer' },
        per_page: { type: 'integer' },
        total_pages: { type: 'integer' }
      },
      example: {
        data: [{ id: 7, name: 'Shed' }],
        total: 1,
        page: 1,
        per_page: 2,
        total_pages: 1
      }
    },
    Task: {
      type: 'object',
      required: ['task_id', 'project_id', 'text', 'open'],
      properties: {
        task_id: { type: 'integer' },
        project_id: { type: 'integer' },
        text: { type: 'string' },
        open: { type: 'boolean' }
      }
    },
    TaskName: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    TaskChange: {
      type: 'object',
      properties: { text: { type: 'string' }, open: { type: 'boolean' } }
    },
    TaskList: {
      type: 'object',
      required: ['tasks', 'meta'],
      properties: {
        tasks: { type: 'array', items: { $ref: '#/definitions/Task' } },
        meta: {
          type: 'object',
          required: ['count'],
          properties: { count: { type: 'integer' } }
        }
      }
    }
  }
}

/** Version 3.1: UUIDs as ids, JSON Patch, cursors, and a PUT that creates. */
export const NOTES = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes': {
      get: {
        operationId: 'listNotes',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', default: 10 } },
          { name: 'cursor', in: 'query', schema: { type: 'string' } }
        ],
        responses: {
          200: {
            description: 'A page',
            ...json({
              type: 'object',
              required: ['items', 'hasMore'],
              properties: {
                items: { type: 'array', items: { $ref: '#/components/schemas/Note' } },
                hasMore: { type: 'boolean' },
                nextCursor: { type: ['string', 'null'] }
              }
            })
          }
        }
      },
      post: {
        operationId: 'addNote',
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/Note' }) },
        responses: { 201: { description: 'Added', ...json({ $ref: '#/components/schemas/Note' }) } }
      }
    },
    '/notes/{id}': {
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
      ],
      get: {
        operationId: 'getNote',
        responses: { 200: { description: 'One', ...json({ $ref: '#/components/schemas/Note' }) } }
      },
      put: {
        operationId: 'putNote',
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/Note' }) },
        responses: {
          200: { description: 'Replaced', ...json({ $ref: '#/components/schemas/Note' }) },
          201: {
            description: 'Created',
            headers: { Location: { schema: { type: 'string', format: 'uri' } } },
            ...json({ $ref: '#/components/schemas/Note' })
          }
        }
      },
      patch: {
        operationId: 'patchNote',
        requestBody: {
          required: true,
          content: {
            'application/json-patch+json': {
              schema: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['op', 'path'],
                  properties: {
                    op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
                    path: { type: 'string' },
                    from: { type: 'string' },
                    value: {}
                  }
                }
              }
            }
          }
        },
        responses: {
          200: { description: 'Changed', ...json({ $ref: '#/components/schemas/Note' }) },
          409: problem('The patch does not fit.')
        }
      },
      delete: { operationId: 'dropNote', responses: { 204: { description: 'Gone' } } }
    }
  },
  components: {
    schemas: {
      Note: {
        type: 'object',
        required: ['id', 'text', 'tags'],
        properties: {
          id: { type: 'string', format: 'uuid', readOnly: true },
          text: { type: 'string', minLength: 1 },
          tags: { type: 'array', items: { type: 'string' } }
        }
      }
    }
  }
}

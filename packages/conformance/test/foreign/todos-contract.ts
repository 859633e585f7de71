/** A contract without anything of ours: other names and errors, no links, no sign-in, no open questions. */
export const todos = {
  openapi: '3.1.0',
  info: { title: 'Todos', version: '1.0.0' },
  security: [{ token: [] }],
  paths: {
    '/users': {
      post: {
        operationId: 'addUser',
        requestBody: body('NewUser', { name: 'Fulano de Tal' }),
        responses: { 201: responseOf('User'), ...errors(400, 401, 415) },
      },
    },
    '/users/{userId}': {
      parameters: [parameter('userId', 'path')],
      get: { operationId: 'showUser', responses: { 200: responseOf('User'), ...errors(401, 404) } },
    },
    '/todos': {
      get: {
        operationId: 'todos',
        parameters: [
          { ...parameter('done', 'query'), required: false, schema: { enum: ['yes', 'no'] }, example: 'no' },
        ],
        responses: { 200: responseOf('Todos'), ...errors(400, 401) },
      },
      post: {
        operationId: 'addTodo',
        requestBody: body('NewTodo', { title: 'Buy bread', priority: 2 }),
        responses: { 201: responseOf('Todo'), ...errors(400, 401, 415) },
      },
    },
    '/todos/{todoId}': {
      parameters: [parameter('todoId', 'path')],
      get: { operationId: 'showTodo', responses: { 200: responseOf('Todo'), ...errors(401, 404) } },
      patch: {
        operationId: 'changeTodo',
        requestBody: body('TodoChange', { done: 'yes' }),
        responses: { 200: responseOf('Todo'), ...errors(400, 401, 404, 415) },
      },
      delete: {
        operationId: 'removeTodo',
        responses: { 204: { description: 'Removed.' }, ...errors(401, 404) },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      NewUser: object({ name: { type: 'string', minLength: 1, maxLength: 40 } }),
      User: object({ id: { type: 'integer' }, name: { type: 'string' } }),
      NewTodo: {
        ...object({
          title: { type: 'string', minLength: 1, maxLength: 80 },
          priority: { type: 'integer', minimum: 1, maximum: 5 },
        }),
        required: ['title'],
      },
      TodoChange: { type: 'object', properties: { done: { enum: ['yes', 'no'] } }, required: ['done'] },
      Todo: {
        ...object({ id: { type: 'integer' }, title: { type: 'string' }, done: { enum: ['yes', 'no'] } }),
        properties: {
          id: { type: 'integer' },
          title: { type: 'string' },
          done: { enum: ['yes', 'no'] },
          priority: { type: 'integer' },
        },
      },
      Todos: { type: 'array', items: { $ref: '#/components/schemas/Todo' } },
      Error: object({ error: { type: 'string' } }),
    },
  },
}

export function object<Properties extends Record<string, object>>(properties: Properties) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

export function body(schema: string, example: object) {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example } }
  return { required: true, content }
}

export function responseOf(schema: string, description = schema) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  }
}

export function errors(...statuses: number[]) {
  return Object.fromEntries(statuses.map((status) => [status, responseOf('Error', 'It was refused.')]))
}

export function parameter(name: string, place: string) {
  return { name, in: place, required: true, schema: { type: 'string' }, example: '1' }
}

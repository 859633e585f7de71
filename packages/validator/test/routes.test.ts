import { describe, expect, test } from 'vitest'
import { createValidator } from '../src/index.ts'

const contract = createValidator()

/** A document with paths and their methods. */
function finderOf(paths: Record<string, string>) {
  const items: Record<string, Record<string, object>> = {}
  for (const [path, methods] of Object.entries(paths)) {
    const operations = methods.split(' ').map((method) => {
      return [method, { operationId: `${method} ${path}` }] as const
    })
    items[path] = Object.fromEntries(operations)
  }
  return createValidator({ openapi: '3.1.0', paths: items }).findOperation
}

function pathOf(find: ReturnType<typeof finderOf>, path: string): string | number {
  const found = find('GET', path)
  return found.found ? found.operation.path : found.status
}

describe('the contract', () => {
  test.each(contract.operations.map((it) => [it.id, it] as const))(
    '%s is found',
    (_, operation) => {
      const path = operation.path.replace(/\{.*?\}/, 'a-1')
      expect(contract.findOperation(operation.method, path)).toMatchObject({
        found: true,
        operation,
      })
    },
  )

  test('slashes count', () => {
    expect(contract.findOperation('POST', '/mobile-bff/v1/partner/webhook')).toMatchObject({
      found: true,
    })
    expect(contract.findOperation('POST', '/mobile-bff/v1/partner/webhook/')).toMatchObject({
      found: false,
      status: 405,
      allow: ['GET'],
    })
    expect(contract.findOperation('POST', '/mobile-bff/v1/pix/out')).toMatchObject({
      found: false,
      status: 404,
      allow: [],
    })
    expect(contract.findOperation('POST', '/mobile-bff/v1//pix/out/')).toMatchObject({
      status: 404,
    })
  })

  test.each([
    { method: 'POST', path: '/mobile-bff/v1/partner/webhook/', id: 'createWebhook' },
    { method: 'GET', path: '/mobile-bff/v1/partner/webhook', id: 'listWebhooks' },
    { method: 'POST', path: '/mobile-bff/v1/pix/out', id: 'createTransfer' },
    { method: 'GET', path: '/mobile-bff/v1/partner/user/', id: 'listUsers' },
    { method: 'PATCH', path: '/mobile-bff/v1/partner/webhook/a%2Fb/', id: 'updateWebhook' },
    { method: 'DELETE', path: '/mobile-bff/v1/pix/out', id: undefined },
    { method: 'POST', path: '/mobile-bff/v1/pix/out//', id: 'createTransfer' },
    { method: 'GET', path: '/', id: undefined },
    { method: 'GET', path: '', id: undefined },
    { method: 'GET', path: 'mobile-bff/v1/partner/user/', id: undefined },
  ])('$method $path suggests $id, which differs in the trailing slash', ({ method, path, id }) => {
    const found = contract.findOperation(method, path)
    expect(found.found).toBe(false)
    expect(!found.found && found.otherSlash?.id).toBe(id)
  })

  test('a path parameter is never empty', () => {
    expect(contract.findOperation('GET', '/mobile-bff/v1/partner/user/')).toMatchObject({
      status: 404,
    })
  })

  test('methods are matched per path, in upper case', () => {
    const path = '/mobile-bff/v1/partner/webhook/1'
    expect(contract.findOperation('POST', path)).toMatchObject({
      status: 405,
      allow: ['GET', 'PATCH', 'DELETE'],
    })
    expect(contract.findOperation('get', path)).toMatchObject({ status: 405 })
  })
})

describe('percent-encoding', () => {
  const find = finderOf({ '/a b/{id}': 'get', '/é': 'get' })

  test('is decoded per segment after splitting', () => {
    expect(find('GET', '/a%20b/x%2Fy%3F')).toMatchObject({
      found: true,
      parameters: { id: 'x/y?' },
    })
    expect(find('GET', '/%61%20b/1')).toMatchObject({ found: true })
    expect(find('GET', '/%C3%A9')).toMatchObject({ found: true })
  })

  test.each(['/a%20b/%', '/a%20b/%zz', '/a%20b/%C3', '/%C3%28'])('%s matches no path', (path) => {
    expect(find('GET', path)).toEqual({ found: false, status: 404, allow: [] })
  })
})

describe('concrete segments take precedence', () => {
  const find = finderOf({
    '/{kind}/mine': 'get',
    '/pets/{id}': 'get post',
    '/pets/mine': 'get',
    '/pets/{id}/toys': 'get',
    '/pets/mine/{toy}': 'get',
    '/': 'get',
  })

  test.each([
    { path: '/pets/mine', expected: '/pets/mine' },
    { path: '/pets/7', expected: '/pets/{id}' },
    { path: '/cats/mine', expected: '/{kind}/mine' },
    { path: '/pets/mine/toys', expected: '/pets/mine/{toy}' },
    { path: '/pets/7/toys', expected: '/pets/{id}/toys' },
    { path: '/', expected: '/' },
    { path: '', expected: 404 },
    { path: 'pets/mine', expected: 404 },
    { path: '/pets/mine/', expected: 404 },
    { path: '/pets/7/toys/', expected: 404 },
  ] as const)('$path is $expected', ({ path, expected }) => {
    expect(pathOf(find, path)).toBe(expected)
  })

  test('the concrete path determines the allowed methods', () => {
    expect(find('POST', '/pets/mine')).toEqual({ found: false, status: 405, allow: ['GET'] })
  })
})

test('inherited object names are ordinary names', () => {
  const find = finderOf({ '/constructor': 'get', '/{__proto__}/x': 'get' })
  expect(find('GET', '/constructor')).toMatchObject({ found: true })
  expect(find('GET', '/toString')).toMatchObject({ found: false })
  expect(find('GET', '/a/x')).toMatchObject({ found: true })
  expect(find('toString', '/constructor')).toMatchObject({ status: 405 })
})

import { expect, test } from 'vitest'
import { LinkedPages, readLinkedPage } from '../../src/form/linked-pages.ts'

const PATH = '/pix/list'
const PAGE = { path: PATH, baseUrl: 'https://pay.example/api' }

test.each([
  { title: 'a query', url: '?limit=5&cursor=10', cursor: '10' },
  { title: 'a path', url: '/api/pix/list?cursor=10', cursor: '10' },
  {
    title: 'a path of which a gateway has removed the prefix',
    url: '/pix/list?cursor=10',
    cursor: '10',
  },
  { title: 'a name in the folder of the list', url: 'list?cursor=10', cursor: '10' },
  { title: 'a whole URL', url: 'https://pay.example/api/pix/list?cursor=10', cursor: '10' },
  { title: 'a URL of before TLS', url: 'http://pay.example/api/pix/list?cursor=10', cursor: '10' },
  { title: 'the number of a page', url: '?per=5&page=2', cursor: 'page=2&per=5' },
])('it reads a link that is $title', ({ url, cursor }) => {
  expect(readLinkedPage(url, PAGE)?.cursor).toBe(cursor)
})

test.each([
  { title: 'to another host', url: 'https://other.example/api/pix/list?cursor=10' },
  { title: 'to another host without a scheme', url: '//other.example/api/pix/list?cursor=10' },
  { title: 'to another port', url: 'https://pay.example:8443/api/pix/list?cursor=10' },
  {
    title: 'to another host, whose user has the name of this one',
    url: 'https://pay.example@other.example/pix/list?cursor=10',
  },
  { title: 'to another operation', url: '/api/pix/out?cursor=10' },
  { title: 'to a folder above', url: '../list?cursor=10' },
  { title: 'with another scheme', url: 'javascript:?cursor=10' },
  { title: 'without a query', url: '/api/pix/list' },
  { title: 'with an empty query', url: '?' },
  { title: 'with filters alone', url: '?status=ATIVA&tax_id=1&limit=5' },
  { title: 'with filters and an empty cursor', url: '?cursor=&status=ATIVA' },
  { title: 'that is no URL', url: 'https://' },
  { title: 'that is too long', url: `?cursor=${'1'.repeat(5_000)}` },
])('it follows no link $title', ({ url }) => {
  expect(readLinkedPage(url, PAGE)).toBeUndefined()
})

test.each(['localhost', '127.0.0.1', '[::1]'])('it knows this machine by the name %s', (host) => {
  const page = { path: PATH, baseUrl: 'http://127.0.0.1:4020' }
  expect(readLinkedPage(`http://${host}:4020/pix/list?cursor=1`, page)?.cursor).toBe('1')
  expect(readLinkedPage(`http://${host}:4021/pix/list?cursor=1`, page)).toBeUndefined()
})

test('it stands for a link by a query of the contract, which keeps the filters of the first page', () => {
  const links = new LinkedPages()
  links.note({ cursor: 'page_info=b', query: 'page_info=b' }, { tax_id: '1', limit: '5' })

  const contractQuery = { tax_id: '1', limit: '5', cursor: 'page_info=b' }
  expect(links.findLinkedQuery(contractQuery)).toBe('page_info=b')
  expect(links.findContractQuery(new URLSearchParams('page_info=b'))).toEqual(contractQuery)
  expect(links.findLinkedQuery({ tax_id: '1', limit: '5' })).toBeUndefined()
  expect(links.findContractQuery(new URLSearchParams('page_info=c'))).toBeUndefined()
})

test('it sends a cursor to another list by the parameter that the service has for it', () => {
  const links = new LinkedPages()
  links.note({ cursor: 'page=2', query: 'page=2' }, { limit: '1' })
  expect(links.findLinkedQuery({ cursor: 'page=2' })).toBe('page=2')
  links.note({ cursor: '10', query: 'cursor=10&limit=1' }, { limit: '1' })
  expect(links.findLinkedQuery({ cursor: '10' })).toBeUndefined()
})

test('it keeps the filters that a link has itself, so that they are judged', () => {
  const links = new LinkedPages()
  links.note({ cursor: '10', query: 'cursor=10&status=ATIVA&tax_id=' }, { limit: '5' })

  const query = { limit: '5', cursor: '10', status: 'ATIVA' }
  expect(links.findContractQuery(new URLSearchParams('status=ATIVA&cursor=10&tax_id='))).toEqual(
    query,
  )
  expect(links.findLinkedQuery({ limit: '5', cursor: '10' })).toBe('cursor=10&status=ATIVA&tax_id=')
})

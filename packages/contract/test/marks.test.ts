import { expect, it } from 'vitest'
import { joinMarks, marksOf, questionOf } from '../src/index.ts'

it('reads a mark of the whole node, of keywords, and of assumed sentences', () => {
  expect(marksOf({ 'x-open-question': 'paging' })).toEqual([{ id: 'paging' }])
  const node = {
    'x-open-question': { enum: 'statuses', meaning: 'paging' },
    'x-assumed': { paging: 'The newest first.', bounds: 'At most 100.' },
  }
  expect(marksOf(node)).toEqual([
    { keyword: 'enum', id: 'statuses' },
    { keyword: 'meaning', id: 'paging' },
    { keyword: 'meaning', id: 'bounds' },
  ])
  expect(marksOf({})).toEqual([])
  expect(marksOf(undefined)).toEqual([])
})

it('finds the question of the whole node, else of the first marked keyword', () => {
  expect(questionOf({ 'x-open-question': 'paging' }, 'status')).toBe('paging')
  const node = { 'x-open-question': { status: 'paging', content: 'bodies' } }
  expect(questionOf(node, 'content', 'status')).toBe('bodies')
  expect(questionOf(node, 'presence')).toBeUndefined()
  expect(questionOf(node)).toBeUndefined()
  expect(questionOf(undefined, 'status')).toBeUndefined()
})

it('lets a mark beside a reference replace that of the target', () => {
  const target = [{ keyword: 'enum', id: 'a' }, { keyword: 'meaning', id: 'b' }, { id: 'c' }]
  const own = [
    { keyword: 'enum', id: 'd' },
    { keyword: 'meaning', id: 'e' },
  ]
  expect(joinMarks(target, own)).toEqual([
    { keyword: 'meaning', id: 'b' },
    { id: 'c' },
    { keyword: 'enum', id: 'd' },
    { keyword: 'meaning', id: 'e' },
  ])
})

import { expect, test } from 'vitest'
import { messageOf, pointerOf, stepsOf, valueAt, visible, withoutCommands } from '../src/index.ts'

test('a pointer escapes what its segments mean, and a fragment is decoded', () => {
  const pointer = pointerOf('/paths', '/a~1')
  expect(pointer).toBe('/paths/~1a~01')
  expect(stepsOf(pointer)).toEqual(['paths', '/a~1'])
  expect(stepsOf('#/a%20b/~1')).toEqual(['a b', '/'])
  expect(stepsOf('')).toEqual([])
})

test('the value at a pointer is an own property', () => {
  const root = { list: [{ 'a/b': 1 }], text: 'abc', none: null }
  expect(valueAt(root, '')).toBe(root)
  expect(valueAt(root, '#/list/0/a~1b')).toBe(1)
  for (const pointer of ['/list/1', '/toString', '/__proto__', '/text/0', '/none/a', '/absent/a'])
    expect(valueAt(root, pointer)).toBeUndefined()
})

test('control characters, marks of direction and lone surrogates are made visible', () => {
  expect(visible('a\u001b[2J\u009b\n\u202e\u200b')).toBe(
    String.raw`a\u001b[2J\u009b\u000a\u202e\u200b`,
  )
  expect(visible('a\n\t\u001b', '\n\t')).toBe(`a\n\t${String.raw`\u001b`}`)
  expect(visible('\ud800')).toBe('\ufffd')
  expect(visible('\u{e0041}😀')).toBe(`${String.raw`\udb40\udc41`}😀`)
  expect(messageOf(new Error('a\u001b'))).toBe(String.raw`a\u001b`)
})

test.each([
  { text: 'a ##[set-output name=a]b', broken: String.raw`a #\u0023[set-output name=a]b` },
  { text: '###[x] ##vso[y]', broken: String.raw`##\u0023[x] #\u0023vso[y]` },
  { text: '::add-mask::1', broken: String.raw`\u003a:add-mask::1` },
  {
    text: 'a ::error::b\n\t::c::',
    broken: `a ${String.raw`\u003a:error::b`}\n\t${String.raw`\u003a:c::`}`,
  },
])('a command to the log of a CI job is broken: $text', ({ text, broken }) => {
  expect(visible(text, '\n\t')).toBe(broken)
  expect(withoutCommands(broken)).toBe(broken)
  const json = JSON.stringify({ text })
  expect(JSON.parse(withoutCommands(json))).toEqual({ text })
})

test('a carriage return begins no line, and addresses and headings stay as they are', () => {
  expect(visible('a\r::b::', '\n\t')).toBe(String.raw`a\u000d::b::`)
  const plain = 'http://[::1]:4020 ::1 ## a [b] a::b'
  expect(visible(plain)).toBe(plain)
})

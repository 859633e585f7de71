import { expect, test } from 'vitest'
import { findNextTargets } from '../../src/form/link-header.ts'

test.each([
  { title: 'a quoted relation', header: '</a?cursor=2>; rel="next"', targets: ['/a?cursor=2'] },
  { title: 'a bare relation', header: '<?cursor=2>;rel=next', targets: ['?cursor=2'] },
  {
    title: 'one of several links',
    header: '<?cursor=0>; rel="prev", <?cursor=2>; rel="next", <?cursor=9>; rel="last"',
    targets: ['?cursor=2'],
  },
  {
    title: 'one of several relations, in any case',
    header: '<?cursor=2>; REL="last Next"',
    targets: ['?cursor=2'],
  },
  {
    title: 'other parameters, whose values may have commas, semicolons and quotes',
    header: '<?a=1,2;3>; title="next, \\"the\\" <page>; rel=prev"; type=text/html; rel=next; x',
    targets: ['?a=1,2;3'],
  },
  {
    title: 'spaces and empty items where they may stand',
    header: ' , <?cursor=2>\t; rel = "next" ,, ',
    targets: ['?cursor=2'],
  },
  {
    title: 'several header lines',
    header: ['<?cursor=0>; rel=prev', '<?cursor=2>; rel=next'],
    targets: ['?cursor=2'],
  },
  { title: 'the first of two relations alone', header: '<?a=1>; rel=prev; rel=next', targets: [] },
  { title: 'no relation that only begins so', header: '<?a=1>; rel="next-archive"', targets: [] },
  { title: 'no link of another resource', header: '<?a=1>; rel=next; anchor="/b"', targets: [] },
  { title: 'no target without an end', header: '<?a=1; rel=next', targets: [] },
  { title: 'no text that is no link', header: 'next', targets: [] },
  { title: 'a quoted string without an end', header: '<?a=1>; rel="next', targets: ['?a=1'] },
  { title: 'no header', header: undefined, targets: [] },
])('it reads $title', ({ header, targets }) => {
  expect(findNextTargets(header)).toEqual(targets)
})

test.each([
  { title: 'starts of links', part: '<' },
  { title: 'separators', part: ' ,' },
  { title: 'parameters', part: '<a>;' },
  { title: 'quotes', part: '<a>;b="' },
  { title: 'backslashes', part: '<a>;b="\\' },
])('it reads a header of $title, however long, at once', ({ part }) => {
  const header = part.repeat(16_384 / part.length)
  const beganAt = performance.now()
  expect(findNextTargets(header)).toEqual([])
  expect(findNextTargets(header.repeat(100))).toEqual([])
  expect(performance.now() - beganAt).toBeLessThan(1_000)
})

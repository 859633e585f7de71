import type { Change, Context } from './change.ts'

/** What the form of the evidence says of pages that are linked by a header. */
const LINKED = { name: 'list/next', value: 'link' }

/** Says that a header Link leads to the next page. The contract has no word for that, so that nothing is edited. */
export function pageChanges({ form, question }: Context): Change[] {
  const isLinked = form.some(
    (word) =>
      word.question === question && word.name === LINKED.name && word.value === LINKED.value,
  )
  if (!isLinked) return []

  return [
    {
      says: 'A header Link leads to the next page.',
      missing: [
        'a word of the contract for pages that a header Link leads to: `pages.next` of a list in spec/behaviour is a pointer into the body, and the responses declare no such header',
      ],
      explains: ({ message }) => message.includes('shows no next_cursor'),
      apply: () => {},
    },
  ]
}

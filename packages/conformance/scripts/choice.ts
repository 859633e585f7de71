import { readInteger, readList } from '@partner-payments/command'

/** The options that choose some of a long list. */
export const CHOICE = {
  only: { value: 'parts', help: 'only those whose name has one of these parts', read: readList },
  every: {
    value: 'number',
    help: 'only every n-th of them',
    read: readInteger(1_000),
    default: 1,
  },
  from: {
    value: 'number',
    help: 'where --every begins',
    read: readInteger(1_000),
    default: 0,
  },
} as const

interface Choice {
  readonly only: readonly string[] | undefined
  readonly every: number
  readonly from: number
}

/** The items that the options choose. */
export function choose<T>(items: readonly T[], nameOf: (item: T) => string, choice: Choice): T[] {
  const { only: nameParts, every, from } = choice
  const isChosenByName = (item: T) => {
    if (!nameParts) return true
    const name = nameOf(item)
    return nameParts.some((part) => name.includes(part))
  }
  const namedItems = items.filter(isChosenByName)
  return namedItems.filter((_, index) => index % every === from)
}

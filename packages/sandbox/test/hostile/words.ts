/** The words of a text. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** The items of a text that are separated by bars, without the spaces around them. */
export function items(text: string): string[] {
  return text.trim().split(/\s*\|\s*/)
}

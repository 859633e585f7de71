/**
 * Closes the menus of the header after a link of one has opened its page. VitePress leaves a menu
 * open as long as the pointer is over it, which then hides the page.
 */
export function closeMenus(): void {
  for (const menu of document.querySelectorAll<HTMLElement>('.VPNavBar .VPFlyout')) {
    menu.dispatchEvent(new MouseEvent('mouseleave'))
    menu.dataset.closed = ''

    const reopen = () => delete menu.dataset.closed
    menu.addEventListener('mouseenter', reopen, { once: true })
    menu.addEventListener('click', reopen, { once: true })
  }
}

/** VitePress listens to a lower-case letter alone, which Caps Lock makes a capital. */
export function openSearchWithCapsLock(event: KeyboardEvent): void {
  const hasModifier = event.ctrlKey || event.metaKey
  if (event.key !== 'K' || event.shiftKey || !hasModifier) return

  event.preventDefault()
  dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
}

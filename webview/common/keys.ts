/** Runs when Escape is pressed inside the element and nothing in there has used the key already. */
export function onEscape(element: HTMLElement, run: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isOpenList(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  });
}

/** A drop-down that is open uses Escape to close. */
function isOpenList(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[open]') !== null;
}

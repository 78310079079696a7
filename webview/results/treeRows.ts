/*
 * The shape of a tree on the page: a list item holds its row (the `treeitem`) and, if it can be unfolded, the list of
 * what is under it.
 */

/** The row of a list item: what has the keyboard. */
export function rowOf(item: HTMLLIElement): HTMLElement {
  const [row] = Array.from(item.children);
  return row instanceof HTMLElement ? row : item;
}

/** Where the list under an item is drawn. */
export function groupOf(item: HTMLLIElement): HTMLElement | undefined {
  const group = item.lastElementChild;
  return group instanceof HTMLUListElement ? group : undefined;
}

/** What is under an item, drawn so far. */
export function childrenOf(item: HTMLLIElement): readonly HTMLLIElement[] {
  return itemsIn(groupOf(item));
}

/** The same, if it is unfolded. */
export function shownChildrenOf(item: HTMLLIElement): readonly HTMLLIElement[] {
  return groupOf(item)?.hidden === false ? childrenOf(item) : [];
}

/** The items of one list. */
export function itemsIn(list: HTMLElement | undefined): readonly HTMLLIElement[] {
  return Array.from(list?.children ?? []).filter((child) => child instanceof HTMLLIElement);
}

/** The item that this one is under. */
export function parentOf(tree: HTMLElement, item: HTMLLIElement): HTMLLIElement | undefined {
  const above = item.parentElement?.closest('li') ?? undefined;
  return above !== undefined && tree.contains(above) ? above : undefined;
}

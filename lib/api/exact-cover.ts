/** Exact cover with the caller's own names: `import { exactCover } from 'dlx-batch/exact-cover'`. */
export { DlxBatchError, type ErrorCode } from './errors.ts';

export type ItemName = string | number;
export interface ColouredItem<Item extends ItemName = ItemName> {
  readonly item: Item;
  readonly colour: string | number;
}
export type OptionItems<Item extends ItemName = ItemName> = readonly (Item | ColouredItem<Item>)[];
export type CoverOption<Item extends ItemName = ItemName> =
  | OptionItems<Item>
  | { readonly items: OptionItems<Item> };

export interface ExactCoverOptions<Option> {
  readonly primary: Iterable<ItemName>;
  readonly secondary?: Iterable<ItemName>;
  readonly options: Iterable<Option>;
}

export function exactCover<Option extends CoverOption>(_problem: ExactCoverOptions<Option>): never {
  throw new Error('not implemented');
}

/** What every panel of the situation is given. */
export interface PanelProps {
  /** The public id of the account. */
  readonly account: string;
  readonly onChange: () => void;
}

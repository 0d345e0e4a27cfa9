/** The product's mark: a bridge. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="mark-ground" width="32" height="32" rx="8" />
      <path
        class="mark-bridge"
        d="M4 22h24M10.5 22V9M21.5 22V9M4 17c3.6 0 6.5-3.6 6.5-8 0 4.4 2.5 8 5.5 8s5.5-3.6 5.5-8c0 4.4 2.9 8 6.5 8"
      />
    </svg>
  );
}

/** The product's mark: a bridge. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="mark-ground" width="32" height="32" rx="8" />
      <path
        class="mark-bridge"
        d="M4 22h24M10.5 22V9M21.5 22V9M4 17c3.600 0 6.500-3.600 6.500-8 0 4.400 2.500 8 5.500 8s5.500-3.600 5.500-8c0 4.400 2.900 8 6.500 8"
      />
    </svg>
  );
}

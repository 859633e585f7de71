curl --fail-with-body \
  --request GET "$BASE_URL/partners/webhooks" \
  --header "authorization: Bearer $ACCESS_TOKEN"

curl --request DELETE "$BASE_URL/mobile-bff/v1/pix/qrcode/dynamic/immediate/3c4ca66f-518b-41cd-9a44-194be1072428" \
  --header "authorization: Bearer $ACCESS_TOKEN"
